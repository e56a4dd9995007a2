//! The writer: what it refuses, when it flushes, and how long its files are.

use zerogap::Pose;
use zerogap::record::{Head, RecordError, Recording, RecordingWriter, Unfit};
use zerogap::world::{Event, EventKind, Frame};

use crate::support::small;

/// Tells a process that its files may not grow far.
#[cfg(target_os = "linux")]
const FULL_DISK: &str = "ZEROGAP_TEST_FULL_DISK";

#[test]
fn errors_name_the_file() {
    let folder = tempfile::tempdir().unwrap();
    let (whole, ..) = small();
    let missing = folder.path().join("missing").join("recording.zgr");
    let error = Recording::open(&missing).unwrap_err();
    assert!(
        matches!(error, RecordError::Io { .. }) && error.to_string().contains("recording.zgr"),
        "{error}"
    );
    let error = RecordingWriter::create(&missing, &whole.head).unwrap_err();
    assert!(
        matches!(error, RecordError::Io { .. }) && error.to_string().contains("recording.zgr"),
        "{error}"
    );
    let other = folder.path().join("other.txt");
    std::fs::write(&other, "hello").unwrap();
    let error = Recording::open(&other).unwrap_err().to_string();
    assert!(error.contains("other.txt") && error.contains("not a recording"), "{error}");
}

/// A write that failed may have torn a chunk: whatever came after it would hide behind the damage.
#[cfg(target_os = "linux")]
#[test]
fn after_a_failed_write_every_call_fails_and_the_file_ends_before_it() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("recording.zgr");
    let (whole, ..) = small();
    // A new process whose files may have 4 kB at most: the limit stands for a full disk.
    if std::env::var_os(FULL_DISK).is_none() {
        let test = "writing::after_a_failed_write_every_call_fails_and_the_file_ends_before_it";
        let command = format!("trap '' XFSZ; ulimit -f 8; exec \"$0\" --exact {test} --nocapture");
        let own = std::env::current_exe().unwrap();
        let output = std::process::Command::new("sh")
            .arg("-c")
            .arg(command)
            .arg(own)
            .env(FULL_DISK, "1")
            .output()
            .unwrap();
        let text = String::from_utf8_lossy(&output.stdout);
        assert!(
            output.status.success() && text.contains("1 passed"),
            "{text} {}",
            String::from_utf8_lossy(&output.stderr)
        );
        return;
    }
    let mut writer = RecordingWriter::create(&path, &whole.head).unwrap();
    let mut written = (0..1000).map(|_| writer.frame(&whole.frames[1]).and_then(|()| writer.flush()));
    let error = written.find_map(Result::err).unwrap().to_string();
    assert!(error.contains("cannot write") && error.contains("recording.zgr"), "{error}");
    let flushed = writer.flushed_frames();
    assert!(
        writer.frame(&whole.frames[1]).is_err() && writer.events(&[]).is_err() && writer.flush().is_err()
    );
    assert!(writer.finish(whole.end.as_ref().unwrap()).is_err());
    let read = Recording::open(&path).unwrap();
    assert_eq!((read.frames.len() as u64, read.end), (flushed, None));
    assert!(flushed > 2 && read.left_out > 0, "{flushed} {}", read.left_out);
}

#[test]
fn what_cannot_be_recorded_is_refused_and_leaves_the_rest() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("recording.zgr");
    let (whole, ..) = small();
    let mut writer = RecordingWriter::create(&path, &whole.head).unwrap();
    let refused = |error: RecordError| match error {
        RecordError::Unfit { unfit, .. } => unfit,
        other => panic!("{other}"),
    };
    writer.frame(&whole.frames[0]).unwrap();
    let mut frame = whole.frames[1].clone();
    frame.velocities[0].y = f64::NAN;
    assert!(matches!(refused(writer.frame(&frame).unwrap_err()), Unfit::Number { index: 0, .. }));
    let two = Frame { poses: vec![Pose::identity(); 2], ..whole.frames[1].clone() };
    assert!(matches!(refused(writer.frame(&two).unwrap_err()), Unfit::Bodies { given: 2, needed: 1, .. }));
    let mut frame = whole.frames[1].clone();
    frame.contacts[0].gap = f64::NAN;
    assert!(matches!(refused(writer.frame(&frame).unwrap_err()), Unfit::Number { .. }));
    writer.events(&whole.events[..1]).unwrap();
    let fewer = refused(writer.events(&[]).unwrap_err());
    assert_eq!(fewer, Unfit::FewerEvents { given: 0, known: 1 });
    let nan = Event { t: f64::NAN, what: EventKind::Scheduled };
    assert!(writer.events(&[whole.events[0].clone(), nan]).is_err());
    writer.frame(&whole.frames[1]).unwrap();
    writer.events(&whole.events).unwrap();
    writer.finish(whole.end.as_ref().unwrap()).unwrap();
    let read = Recording::open(&path).unwrap();
    assert_eq!((&read.frames[..], &read.events), (&whole.frames[..2], &whole.events));
    // A head that cannot be read back leaves the old file.
    let mut head = whole.head.clone();
    head.shapes[0].triangles[0][2] = 3;
    let corner = refused(RecordingWriter::create(&path, &head).unwrap_err());
    assert_eq!(corner, Unfit::Corner { shape: 0, corner: 3, corners: 3 });
    head = Head { every: f64::INFINITY, ..whole.head.clone() };
    assert!(RecordingWriter::create(&path, &head).is_err());
    head = Head { bodies: Vec::new(), ..whole.head.clone() };
    assert!(matches!(refused(RecordingWriter::create(&path, &head).unwrap_err()), Unfit::NoBody { .. }));
    assert_eq!(Recording::open(&path).unwrap(), read);
}

#[test]
fn a_frame_is_in_the_file_after_a_while_though_none_follows() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("recording.zgr");
    let (whole, ..) = small();
    let mut writer = RecordingWriter::create(&path, &whole.head).unwrap();
    writer.frame(&whole.frames[0]).unwrap();
    let start = std::time::Instant::now();
    while Recording::open(&path).unwrap().frames.is_empty() {
        assert!(start.elapsed().as_secs() < 30, "still not written");
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
    assert_eq!(writer.flushed_frames(), 1);
}

#[test]
fn a_body_takes_104_bytes_in_a_frame_and_a_contact_and_a_point_96_each() {
    let (whole, ..) = small();
    let length = |frames: &[Frame], bodies: usize| {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("recording.zgr");
        let bodies = vec![String::new(); bodies];
        let mut writer = RecordingWriter::create(&path, &Head { bodies, ..whole.head.clone() }).unwrap();
        let before = std::fs::metadata(&path).unwrap().len();
        for frame in frames {
            writer.frame(frame).unwrap();
        }
        drop(writer);
        std::fs::metadata(&path).unwrap().len() - before
    };
    assert_eq!(length(&whole.frames[..1], 1), 16 + 16 + 56 + 104);
    assert_eq!(length(&whole.frames[..2], 1), 16 + 16 + 2 * (56 + 104) + 96 + 2 * 96);
}

#[test]
fn an_older_recording_stays_until_the_first_flush_of_the_new_one() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("recording.zgr");
    let (whole, ..) = small();
    let mut writer = RecordingWriter::create(&path, &whole.head).unwrap();
    assert!(writer.is_published() && Recording::open(&path).unwrap().frames.is_empty());
    writer.frame(&whole.frames[0]).unwrap();
    writer.finish(whole.end.as_ref().unwrap()).unwrap();
    let old = std::fs::read(&path).unwrap();
    let others = || std::fs::read_dir(folder.path()).unwrap().count() - 1;

    // A run that ends before its first frame leaves the old recording, and nothing beside it.
    let head = Head { scene: "new".to_owned(), ..whole.head.clone() };
    let writer = RecordingWriter::create(&path, &head).unwrap();
    assert!(!writer.is_published() && std::fs::read(&path).unwrap() == old && others() == 1);
    drop(writer);
    assert!(std::fs::read(&path).unwrap() == old && others() == 0);

    let mut writer = RecordingWriter::create(&path, &head).unwrap();
    writer.frame(&whole.frames[0]).unwrap();
    writer.flush().unwrap();
    assert!(writer.is_published() && others() == 0);
    let new = Recording::open(&path).unwrap();
    assert_eq!((new.head.scene.as_str(), new.frames.len(), new.end), ("new", 1, None));
}

#[cfg(unix)]
#[test]
fn a_recording_is_not_written_through_a_symbolic_link() {
    let folder = tempfile::tempdir().unwrap();
    let (path, victim) = (folder.path().join("recording.zgr"), folder.path().join("victim"));
    std::fs::write(&victim, "precious").unwrap();
    std::os::unix::fs::symlink(&victim, &path).unwrap();
    let (whole, ..) = small();
    let error = RecordingWriter::create(&path, &whole.head).unwrap_err().to_string();
    assert!(error.contains("symbolic link"), "{error}");
    assert_eq!(std::fs::read_to_string(&victim).unwrap(), "precious");
}
