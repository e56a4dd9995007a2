//! Arguments of the command that shows a scene as it runs.

use std::net::{IpAddr, Ipv4Addr};
use std::path::PathBuf;

use clap::Args;
use zerogap_viewer::live::SPEEDS;

use super::runs::RobotArguments;
use super::settings::MethodOverrides;
use super::values::parse_unit;

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  zerogap view                                    choose a built-in scene on the page
  zerogap view peg-in-hole
  zerogap view robot.urdf --base fixed
  zerogap view plate.stl bolt.stl --unit mm       the first file is fixed, the others are free parts
  zerogap view domino-row --speed 0.2 --paused
  ssh -L 8000:localhost:8000 HOST zerogap view box-tower --port 8000 --no-open

The page is served on this machine alone, to whoever has the token in the printed address.
Ctrl-C ends the command. Recordings are written to --out when the page asks for them.")]
pub(crate) struct View {
    /// A scene (.toml), a robot (.urdf, .xml), the name of a built-in scene, or mesh files and parts
    #[arg(value_name = "SCENE")]
    pub(crate) scene: Vec<PathBuf>,
    /// Port to listen at; 0 takes a free one
    #[arg(long, value_name = "PORT", default_value_t = 0)]
    pub(crate) port: u16,
    /// Print the address only; open no browser
    #[arg(long)]
    pub(crate) no_open: bool,
    /// Folder for recordings
    #[arg(long, short, value_name = "DIR", default_value = "runs")]
    pub(crate) out: PathBuf,
    /// Address to listen at. Beyond this machine the connection is not encrypted; the token is needed all the same
    #[arg(long, value_name = "ADDRESS", default_value_t = IpAddr::V4(Ipv4Addr::LOCALHOST))]
    pub(crate) listen: IpAddr,
    /// Host name that requests may be addressed to, beside those of this machine; may be given several times
    #[arg(long, value_name = "NAME")]
    pub(crate) allow_host: Vec<String>,
    /// Time of the scene that passes in a second of the clock
    #[arg(long, value_name = "NUMBER", default_value_t = 1.0, value_parser = parse_speed)]
    pub(crate) speed: f64,
    /// Start paused
    #[arg(long)]
    pub(crate) paused: bool,
    /// Unit of the coordinates in mesh files: m, dm, cm, mm, um, in, ft, or a number of metres
    #[arg(long, value_name = "UNIT", value_parser = parse_unit)]
    pub(crate) unit: Option<f64>,
    #[command(flatten)]
    pub(crate) settings: MethodOverrides,
    #[command(flatten)]
    pub(crate) robot: RobotArguments,
    /// Print the address as JSON
    #[arg(long)]
    pub(crate) json: bool,
}

fn parse_speed(text: &str) -> Result<f64, String> {
    let [low, high] = SPEEDS;
    let speed: f64 = text.trim().parse().map_err(|_| format!("'{text}' is no number"))?;
    if (low..=high).contains(&speed) {
        Ok(speed)
    } else {
        Err(format!("a speed lies between {low} and {high}"))
    }
}
