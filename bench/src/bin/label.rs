//! Prints the names under which results are kept, machine and commit, for programs that are not written in Rust.

fn main() {
    println!("{} {}", zerogap_bench::machine(), zerogap_bench::commit());
}
