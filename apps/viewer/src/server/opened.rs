//! Opens the page in the browser of the person at this machine.
//!
//! In: an address with a token. Out: whether a browser was asked to open it. Arguments of processes can be read by others, so the browser gets a file that only its user can read, and that leads on.

use std::fs::{self, DirBuilder, OpenOptions};
use std::io::Write;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::time::Duration;

/// Programs that open a file in the browser.
const OPENERS: [&str; 3] = ["xdg-open", "open", "wslview"];

/// How long the file stays.
const STAYS: Duration = Duration::from_mins(1);

/// Asks a browser to open an address; false where there is no screen or no program to ask.
pub fn open_in_browser(url: &str) -> bool {
    let has_screen = cfg!(not(target_os = "linux"))
        || ["DISPLAY", "WAYLAND_DISPLAY"].iter().any(|name| std::env::var_os(name).is_some());
    let Some(file) = has_screen.then(|| redirect(url)).flatten() else { return false };
    let ask = |opener: &&str| {
        let quiet = || Stdio::null();
        Command::new(opener).arg(&file).stdin(quiet()).stdout(quiet()).stderr(quiet()).spawn().is_ok()
    };
    let is_asked = OPENERS.iter().any(ask);
    std::thread::spawn(move || {
        std::thread::sleep(STAYS);
        remove(&file);
    });
    is_asked
}

/// A file that leads to an address; only its user can read it.
fn redirect(url: &str) -> Option<PathBuf> {
    let mut number = [0; 8];
    getrandom::fill(&mut number).ok()?;
    let folder = std::env::temp_dir().join(format!("zerogap-view-{:016x}", u64::from_le_bytes(number)));
    private_folder().create(&folder).ok()?;
    let file = folder.join("open.html");
    let page = format!(
        "<!doctype html><meta charset=\"utf-8\"><meta name=\"referrer\" content=\"no-referrer\"><meta http-equiv=\"refresh\" content=\"0;url={url}\"><title>zerogap</title>"
    );
    let mut options = OpenOptions::new();
    let written = private(options.write(true).create_new(true))
        .open(&file)
        .and_then(|mut f| f.write_all(page.as_bytes()));
    if written.is_err() {
        remove(&file);
        return None;
    }
    Some(file)
}

fn remove(file: &std::path::Path) {
    // What stays is of this run alone and useless after it.
    let _ = fs::remove_file(file);
    let _ = file.parent().map(fs::remove_dir);
}

#[cfg(unix)]
fn private_folder() -> DirBuilder {
    use std::os::unix::fs::DirBuilderExt;
    let mut builder = DirBuilder::new();
    builder.mode(0o700);
    builder
}

#[cfg(not(unix))]
fn private_folder() -> DirBuilder {
    DirBuilder::new()
}

#[cfg(unix)]
fn private(options: &mut OpenOptions) -> &mut OpenOptions {
    use std::os::unix::fs::OpenOptionsExt;
    options.mode(0o600)
}

#[cfg(not(unix))]
fn private(options: &mut OpenOptions) -> &mut OpenOptions {
    options
}

#[cfg(test)]
mod tests {
    use super::{redirect, remove};

    #[cfg(unix)]
    #[test]
    fn only_its_user_reads_the_file_that_leads_to_the_page() {
        use std::os::unix::fs::PermissionsExt;
        let file = redirect("http://127.0.0.1:1/#token=x").unwrap();
        let mode = |path: &std::path::Path| path.metadata().unwrap().permissions().mode() & 0o777;
        assert_eq!(mode(&file), 0o600);
        assert_eq!(mode(file.parent().unwrap()), 0o700);
        assert!(std::fs::read_to_string(&file).unwrap().contains("127.0.0.1:1/#token=x"));
        remove(&file);
        assert!(!file.parent().unwrap().exists());
    }
}
