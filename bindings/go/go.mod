module nwgpu

go 1.19
