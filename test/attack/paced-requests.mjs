/**
 * Asks questions on connections that are open before the first one, and prints what came of them as JSON. It runs in a
 * process of its own and without an HTTP client: what asking costs must not be taken for what answering costs.
 * Arguments: port, key, seconds, connections, questions a second, number of the first question. Questions are sent by
 * the clock, whether or not those before have been answered; with 0 a second all connections are opened at once, and each
 * asks again once it is answered.
 */
import net from 'node:net';

const key = process.argv[3];
const [port, , seconds, connections, rate, firstNumber] = process.argv.slice(2).map(Number);
const firstMs = Date.parse('2024-02-01T00:00:00Z');
const free = [];
const waiting = [];
const answered = [];
let number = 0;
let began = performance.now();
const elapsed = () => (performance.now() - began) / 1_000;

function begin(socket, question) {
  socket.question = question;
  const from = new Date(firstMs + (firstNumber + question.number) * 1_000).toISOString();
  const body = JSON.stringify({ filters: { start_date: from, end_date: '2024-04-01' } });
  const head = ['POST /metrics/pull-requests-count HTTP/1.1', 'host: plumb', `authorization: ${key}`];
  head.push('content-type: application/json', `content-length: ${body.length}`);
  socket.write(`${head.join('\r\n')}\r\n\r\n${body}`);
}

const nextQuestion = () => ({ number: number++, began: performance.now() });

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
      if (question) answered.push({ status, ms: performance.now() - question.began, at: elapsed() });
    };
    socket.on('data', (bytes) => {
      text += bytes.toString('latin1');
      const headEnd = text.indexOf('\r\n\r\n');
      const length = /content-length: (\d+)/i.exec(text)?.[1];
      if (headEnd < 0 || length === undefined || text.length < headEnd + 4 + Number(length)) return;
      ended(Number(text.slice(9, 12)));
      text = '';
      const next = rate === 0 && elapsed() < seconds ? nextQuestion() : waiting.shift();
      if (next) begin(socket, next);
      else free.push(socket);
    });
    socket.on('error', () => {});
    socket.on('close', () => ended(0));
  });
}

const openedAtOnce = rate === 0 ? connections : 20;
for (let i = 0; i < connections; i += openedAtOnce) {
  await Promise.all(Array.from({ length: Math.min(openedAtOnce, connections - i) }, opened));
}
began = performance.now();
if (rate === 0) for (const socket of free.splice(0)) begin(socket, nextQuestion());
while (elapsed() < seconds) {
  while (number < Math.min(seconds, elapsed()) * rate) {
    const question = nextQuestion();
    const socket = free.shift();
    if (socket) begin(socket, question);
    else waiting.push(question);
  }
  await new Promise((resolve) => setTimeout(resolve, 2));
}
while (answered.length < number) await new Promise((resolve) => setTimeout(resolve, 20));
// Whoever exits at once cuts off what is still in the pipe.
process.stdout.write(JSON.stringify(answered), () => process.exit(0));
