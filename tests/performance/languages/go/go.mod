module overhead

go 1.19

require nwgpu v0.0.0

replace nwgpu => ../../../../bindings/go
