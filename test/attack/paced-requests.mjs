/**
 * Sends questions by the clock, whether or not those before have been answered, on connections that are open before the
 * first one. In a process of its own, and without an HTTP client: what asking costs must not be taken for what answering
 * costs. Arguments: port, key, questions a second, seconds, connections. Prints status and milliseconds of each as JSON.
 */
import net from 'node:net';

const [port, key, rate, seconds, connections] = process.argv.slice(2).map((text, i) => (i === 1 ? text : Number(text)));
const firstMs = Date.parse('2024-02-01T00:00:00Z');
const free = [];
const waiting = [];
const answered = [];

function begin(socket, question) {
  socket.question = question;
  const body = JSON.stringify({
    filters: {
      start_date: new Date(firstMs + (3_000_000 + question.number) * 1_000).toISOString(),
      end_date: '2024-04-01',
    },
  });
  const head = ['POST /metrics/pull-requests-count HTTP/1.1', 'host: plumb', `authorization: ${key}`];
  head.push('content-type: application/json', `content-length: ${body.length}`);
  socket.write(`${head.join('\r\n')}\r\n\r\n${body}`);
}

function opened() {
  return new Promise((resolve) => {
    let text = '';
    const socket = net.connect(port, '127.0.0.1', () => {
      free.push(socket);
      resolve();
    });
    const ended = (status) => {
      const { question } = socket;
      socket.question = undefined;
      if (question) answered.push({ status, ms: performance.now() - question.began });
    };
    socket.on('data', (bytes) => {
      text += bytes.toString('latin1');
      const headEnd = text.indexOf('\r\n\r\n');
      const length = /content-length: (\d+)/i.exec(text)?.[1];
      if (headEnd < 0 || length === undefined || text.length < headEnd + 4 + Number(length)) return;
      ended(Number(text.slice(9, 12)));
      text = '';
      const next = waiting.shift();
      if (next) begin(socket, next);
      else free.push(socket);
    });
    socket.on('error', () => {});
    socket.on('close', () => ended(0));
  });
}

for (let i = 0; i < connections; i += 20) await Promise.all(Array.from({ length: 20 }, opened));
const began = performance.now();
for (let number = 0; number < rate * seconds; ) {
  const due = Math.min(rate * seconds, ((performance.now() - began) / 1_000) * rate);
  for (; number < due; number += 1) {
    const question = { number, began: performance.now() };
    const socket = free.shift();
    if (socket) begin(socket, question);
    else waiting.push(question);
  }
  await new Promise((resolve) => setTimeout(resolve, 2));
}
const lasted = (performance.now() - began) / 1_000;
while (answered.length < rate * seconds) await new Promise((resolve) => setTimeout(resolve, 20));
// Whoever exits at once cuts off what is still in the pipe.
process.stdout.write(JSON.stringify({ lasted, answered }), () => process.exit(0));
