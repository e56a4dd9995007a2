//! Files read with a bound and written in one step.

use std::fs::{self, File};

use zerogap_core::files::{ReadError, is_partial_of, read_bytes, read_text, replace, replace_with};

#[test]
fn a_file_longer_than_the_limit_is_refused_before_it_is_read() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("scene.toml");
    fs::write(&file, "abc").unwrap();
    assert_eq!(read_text(&file, 3).unwrap(), "abc");
    assert!(matches!(read_text(&file, 2), Err(ReadError::TooLong { limit: 2 })));
    File::create(&file).unwrap().set_len(1 << 40).unwrap();
    assert!(matches!(read_text(&file, 1 << 20), Err(ReadError::TooLong { .. })));
    assert!(matches!(read_text(folder.path(), 3), Err(ReadError::Folder)));
    assert!(matches!(read_text(&folder.path().join("none"), 3), Err(ReadError::Io(_))));
}

#[test]
fn what_is_not_text_is_refused_with_the_place() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("scene.toml");
    fs::write(&file, b"ab\xff").unwrap();
    assert!(matches!(read_text(&file, 10), Err(ReadError::NotText { offset: 2 })));
    fs::write(&file, b"a\0b").unwrap();
    assert!(matches!(read_text(&file, 10), Err(ReadError::NotText { offset: 1 })));
    assert_eq!(read_bytes(&file, 10, false).unwrap(), b"a\0b");
}

#[cfg(unix)]
#[test]
fn a_device_without_an_end_is_read_no_further_than_the_limit() {
    let zero = std::path::Path::new("/dev/zero");
    assert!(matches!(read_text(zero, 1 << 40), Err(ReadError::NotText { offset: 0 })));
    assert!(matches!(read_bytes(zero, 1 << 20, false), Err(ReadError::TooLong { .. })));
}

#[test]
fn a_file_is_replaced_completely_or_not_at_all() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("plot.png");
    replace(&file, b"old").unwrap();
    let failed = replace_with(&file, |_| Err(std::io::Error::other("the disk is full")));
    assert_eq!(failed.unwrap_err().to_string(), "the disk is full");
    assert_eq!(fs::read(&file).unwrap(), b"old");
    replace(&file, b"new").unwrap();
    assert_eq!(fs::read(&file).unwrap(), b"new");
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
}

#[cfg(unix)]
#[test]
fn links_are_refused_and_devices_stay_devices() {
    use std::os::unix::fs::FileTypeExt;
    let folder = tempfile::tempdir().unwrap();
    let (victim, link) = (folder.path().join("victim"), folder.path().join("plot.png"));
    fs::write(&victim, "precious").unwrap();
    std::os::unix::fs::symlink(&victim, &link).unwrap();
    assert!(replace(&link, b"new").unwrap_err().to_string().contains("symbolic link"));
    assert_eq!(fs::read_to_string(&victim).unwrap(), "precious");
    replace(std::path::Path::new("/dev/null"), b"new").unwrap();
    assert!(fs::metadata("/dev/null").unwrap().file_type().is_char_device());
}

#[cfg(unix)]
#[test]
fn the_standard_output_is_written_to_though_its_name_is_a_link() {
    replace(std::path::Path::new("/dev/stderr"), b"").unwrap();
    replace_with(std::path::Path::new("/dev/stdout"), |stream| {
        use std::io::Write;
        writeln!(stream, "to the standard output")
    })
    .unwrap();
}

#[test]
fn partial_files_are_known_by_their_names() {
    assert!(is_partial_of(".recording.zgr.12.0.partial", "recording.zgr"));
    for other in [
        "recording.zgr",
        ".recording.zgr.12.partial",
        ".recording.zgr.a.0.partial",
        ".replay.html.1.0.partial",
    ] {
        assert!(!is_partial_of(other, "recording.zgr"), "{other}");
    }
}
