// The first script of a live page: it shows the token, takes the scene, and starts the program.
'use strict';
(() => {
  const KEY = 'zerogap-token';
  const fault = text => {
    const place = document.getElementById('fault');
    place.hidden = false;
    place.textContent = text;
  };

  // The token leaves the address, so that it does not stay in the history.
  const options = new URLSearchParams(location.hash.slice(1));
  if (options.has('token')) {
    sessionStorage.setItem(KEY, options.get('token'));
    options.delete('token');
    history.replaceState(null, '', location.pathname + (options.size ? `#${options}` : ''));
  }
  const token = sessionStorage.getItem(KEY);
  if (!token) return fault('This page needs the whole address that zerogap view printed: it ends with #token=…');

  const socket = new WebSocket(`ws://${location.host}/socket`);
  socket.binaryType = 'arraybuffer';
  const stage = { socket, hello: null, geometry: null, first: null, waiting: [], receive: null };
  socket.addEventListener('open', () => socket.send(JSON.stringify({ token })));
  socket.addEventListener('close', event => {
    // Another scene: the page starts anew.
    if (event.code === 1012) return location.reload();
    fault(event.code === 1008 ? `The server closed the connection: ${event.reason}.` : 'The connection has ended. Start zerogap view again, and open the address that it prints.');
  });
  socket.addEventListener('message', ({ data }) => {
    if (stage.receive) return stage.receive(data);
    if (typeof data === 'string') {
      const message = JSON.parse(data);
      if (message.say === 'hello') stage.hello = message; else stage.waiting.push(data);
    } else if (new DataView(data).getUint32(0, true) === 0) {
      stage.geometry = data;
    } else {
      stage.first = data;
    }
    if (!stage.hello || !stage.geometry || !stage.first || window.zerogapStage) return;
    window.zerogapStage = stage;
    const program = document.createElement('script');
    program.src = '/program.js';
    program.addEventListener('error', () => fault('The program of this page cannot be loaded.'));
    document.body.append(program);
  });
})();
