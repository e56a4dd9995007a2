// Runs a probe, which fills an object with what it sees, and leaves that in the document with everything that went wrong.
const report = async probe => {
  const seen = {};
  try {
    await probe(seen);
  } catch (error) {
    window.faults.push(`probe: ${error.stack}`);
  }
  seen.faults = window.faults;
  const note = document.createElement('pre');
  note.id = 'seen';
  note.textContent = JSON.stringify(seen);
  document.body.append(note);
};
