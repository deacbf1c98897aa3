// SPDX-License-Identifier: BSD-3-Clause
//! Tells rustc where libnwgpu is.  It is looked for in the folder that NWGPU_LIB_DIR names, else by pkg-config (or the
//! program that PKG_CONFIG names).  With the feature `static`, or NWGPU_STATIC=1, libnwgpu.a is linked, and with it
//! what pkg-config says it needs (or NWGPU_STATIC_LIBS: names with spaces between them).
use std::env;
use std::process::{exit, Command};

fn variable(name: &str) -> Option<String> {
    println!("cargo:rerun-if-env-changed={name}");
    env::var(name).ok().filter(|value| !value.is_empty())
}

fn is_static() -> bool {
    let asked = variable("NWGPU_STATIC").map_or(false, |value| value != "0");
    asked || env::var_os("CARGO_FEATURE_STATIC").is_some()
}

fn fail(why: &str) -> ! {
    eprintln!("libnwgpu cannot be found: {why}");
    eprintln!("Install it (cmake --install), and put the folder of nwgpu.pc into PKG_CONFIG_PATH, or that of");
    eprintln!("libnwgpu.so into NWGPU_LIB_DIR.");
    exit(1);
}

/// What pkg-config says about linking: -L folders, -l names.
fn pkg_config(statically: bool) -> String {
    let program = variable("PKG_CONFIG").unwrap_or_else(|| "pkg-config".to_string());
    variable("PKG_CONFIG_PATH");
    let mut command = Command::new(&program);
    command.arg("--libs");
    if statically {
        command.arg("--static");
    }
    match command.arg("nwgpu >= 0.1.0").output() {
        Err(error) => fail(&format!("{program}: {error}")),
        Ok(output) if !output.status.success() => fail(String::from_utf8_lossy(&output.stderr).trim()),
        Ok(output) => String::from_utf8_lossy(&output.stdout).into_owned(),
    }
}

fn main() {
    let statically = is_static();
    let kind = if statically { "static" } else { "dylib" };
    let flags = match variable("NWGPU_LIB_DIR") {
        Some(folder) => {
            let needed = variable("NWGPU_STATIC_LIBS").unwrap_or_else(|| "stdc++ m pthread".to_string());
            let needed: Vec<_> = needed.split_whitespace().map(|name| format!("-l{name}")).collect();
            format!("-L{folder} -lnwgpu {}", if statically { needed.join(" ") } else { String::new() })
        }
        None => pkg_config(statically),
    };
    for flag in flags.split_whitespace() {
        match flag.split_at(flag.len().min(2)) {
            ("-L", folder) => {
                println!("cargo:rustc-link-search=native={folder}");
                if statically {
                    println!("cargo:rerun-if-changed={folder}/libnwgpu.a");
                }
            }
            ("-l", "nwgpu") => println!("cargo:rustc-link-lib={kind}=nwgpu"),
            ("-l", name) => println!("cargo:rustc-link-lib={name}"),
            _ => {}
        }
    }
    println!("cargo:rerun-if-changed=build.rs");
}
