//! Says whether this is the repository: `wide-table3` measures an example of the crate `bootes`, which no package has.

fn main() {
    let example = "../bootes/examples/iris/model.rs";
    println!("cargo::rerun-if-changed={example}");
    println!("cargo::rustc-check-cfg=cfg(in_repository)");
    if std::path::Path::new(example).exists() {
        println!("cargo::rustc-cfg=in_repository");
    }
}
