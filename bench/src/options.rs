//! Options of a benchmark program: `--name value`, and words without a name.

use std::error::Error;
use std::str::FromStr;

/// What stands on the command line.
#[derive(Debug, Clone, Default)]
pub struct Options {
    named: Vec<(String, String)>,
    /// Words without a name, in their order.
    pub words: Vec<String>,
}

impl Options {
    /// Reads the command line; every name must be a known one, and those that end with `!` take no value.
    pub fn read(known: &[&str]) -> Result<Self, Box<dyn Error>> {
        Self::parse(std::env::args().skip(1), known)
    }

    fn parse(words: impl Iterator<Item = String>, known: &[&str]) -> Result<Self, Box<dyn Error>> {
        let mut options = Self::default();
        let mut words = words;
        while let Some(word) = words.next() {
            let Some(name) = word.strip_prefix("--") else {
                options.words.push(word);
                continue;
            };
            let (name, given) =
                name.split_once('=').map_or((name, None), |(name, value)| (name, Some(value)));
            let value = if known.contains(&format!("{name}!").as_str()) {
                String::new()
            } else if known.contains(&name) {
                let next = given.map(str::to_owned).or_else(|| words.next());
                next.ok_or_else(|| format!("--{name} needs a value"))?
            } else {
                let list: Vec<String> =
                    known.iter().map(|name| format!("--{}", name.trim_end_matches('!'))).collect();
                return Err(format!("no option --{name}; there are {}", list.join(" ")).into());
            };
            options.named.push((name.to_owned(), value));
        }
        Ok(options)
    }

    /// Whether an option is given.
    pub fn has(&self, name: &str) -> bool {
        self.text(name).is_some()
    }

    /// The text of an option; the last one counts.
    pub fn text(&self, name: &str) -> Option<&str> {
        self.named.iter().rev().find(|(own, _)| own == name).map(|(_, value)| value.as_str())
    }

    /// The value of an option, or a default.
    pub fn value<T: FromStr>(&self, name: &str, default: T) -> Result<T, Box<dyn Error>> {
        let Some(text) = self.text(name) else { return Ok(default) };
        text.parse().map_err(|_| format!("--{name} {text}: not a value of this option").into())
    }

    /// The values of an option, separated by commas, or defaults.
    pub fn list<T: FromStr + Clone>(&self, name: &str, default: &[T]) -> Result<Vec<T>, Box<dyn Error>> {
        let Some(text) = self.text(name) else { return Ok(default.to_vec()) };
        let read = |word: &str| {
            word.parse().map_err(|_| format!("--{name} {text}: `{word}` is not a value of this option"))
        };
        Ok(text.split(',').map(read).collect::<Result<_, _>>()?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_values_and_words_are_told_apart() {
        let words = ["a", "--seeds", "3", "--fast", "--list=1,2"].map(str::to_owned);
        let options = Options::parse(words.into_iter(), &["seeds", "fast!", "list"]).unwrap();
        assert_eq!(options.words, ["a"]);
        assert_eq!(options.value("seeds", 1).unwrap(), 3);
        assert!(options.has("fast") && options.list::<u32>("list", &[]).unwrap() == [1, 2]);
        assert!(Options::parse(["--no".to_owned()].into_iter(), &["seeds"]).is_err());
    }
}
