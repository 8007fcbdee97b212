import { Duplex } from 'node:stream';
import pg from 'pg';
import { expect, test } from 'vitest';
import { exchange } from './exchange.ts';

/**
 * Each member of pg that its types do not promise and the service relies on. After an upgrade of pg this file says
 * which one has changed, before an exchange does something else than it should.
 */

const int16 = (value: number) => Buffer.from([value >> 8, value & 0xff]);
function int32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeInt32BE(value);
  return bytes;
}
const bytesOf = (part: string | Buffer) => (typeof part === 'string' ? Buffer.from(part) : part);

/** A message of PostgreSQL's protocol: its letter, its length and its parts. */
function message(letter: string, ...parts: readonly (string | Buffer)[]): Buffer {
  const body = Buffer.concat(parts.map(bytesOf));
  return Buffer.concat([Buffer.from(letter), int32(body.length + 4), body]);
}

const says = {
  welcome: message('R', int32(0)),
  ready: message('Z', 'I'),
  columns: message(
    'T',
    int16(1),
    'big\0',
    int32(0),
    int16(0),
    int32(20),
    int16(8),
    int32(-1),
    int16(0),
  ),
  row: message('D', int16(1), int32(1), '5'),
  takesRows: message('G', '\0', int16(0)),
  done: message('C', 'SELECT 1\0'),
  refusal: message('E', 'SERROR\0', 'C23505\0', 'Mtwice\0', '\0'),
};

/** A socket whose server says what a test lets it say. */
class Socket extends Duplex {
  /** The writes that reach the network: one of a corked stream. */
  written: Buffer[] = [];
  connect(): void {
    setImmediate(() => this.emit('connect'));
  }
  setNoDelay(): void {}
  setKeepAlive(): void {}
  ref(): void {}
  unref(): void {}
  override _read(): void {}
  override _write(chunk: Buffer, _encoding: string, done: () => void): void {
    this.written.push(chunk);
    // The startup message is the one without a letter.
    if (chunk[0] === 0) this.push(Buffer.concat([says.welcome, says.ready]));
    done();
  }
  override _writev(chunks: { chunk: Buffer }[], done: () => void): void {
    this.written.push(Buffer.concat(chunks.map(({ chunk }) => chunk)));
    done();
  }
}

async function connected(config: pg.ClientConfig = {}) {
  const socket = new Socket();
  const client = new pg.Client({ ...config, stream: () => socket as never });
  client.on('error', () => {});
  await client.connect();
  socket.written = [];
  const { connection } = client as unknown as { connection: { stream: unknown } };
  return { client, socket, connection };
}

const next = () => new Promise((resolve) => setImmediate(resolve));

test('`client.connection.stream` is the socket', async () => {
  const { connection, socket } = await connected();
  expect(connection.stream).toBe(socket);
});

test('`client.host` and `client.port` are where it leads', async () => {
  const { client } = await connected({ connectionString: 'postgres://somewhere:6000/ledger' });
  expect([client.host, client.port]).toEqual(['somewhere', 6000]);
});

const bound = [int16(3), int16(0), int16(1), int16(0), int16(3)];
const values = [int32(1), 'a', int32(2), Buffer.from([0, 255]), int32(-1)];

test.each([
  ['parse', { name: 's', text: 'select $1', types: [] }, ['P', 's\0select $1\0', int16(0)]],
  [
    'bind',
    { portal: '', statement: 's', values: ['a', Buffer.from([0, 255]), null] },
    ['B', '\0s\0', ...bound, ...values, int16(1), int16(0)],
  ],
  ['describe', { type: 'P', name: '' }, ['D', 'P\0']],
  ['execute', { portal: '', rows: 0 }, ['E', '\0', int32(0)]],
  ['close', { type: 'S', name: 's' }, ['C', 'Ss\0']],
  ['sendCopyFromChunk', Buffer.from('1\n'), ['d', '1\n']],
  ['endCopyFrom', undefined, ['c']],
  ['sync', undefined, ['S']],
] as const)(
  '`client.connection.%s` writes its message and no other',
  async (name, given, parts) => {
    const { connection, socket } = await connected();
    (connection as unknown as Record<string, (given: unknown) => void>)[name]?.(given);
    const [letter, ...body] = parts;
    expect(socket.written).toEqual([message(letter, ...body)]);
  },
);

test('an exchange is one write, and describes a statement once', async () => {
  const { client, socket } = await connected();
  const statement = { name: 'big', text: 'select 5::bigint as big', values: [] };
  const letters = () =>
    socket.written.map((bytes) => {
      const found = [];
      for (let at = 0; at < bytes.length; at += 1 + bytes.readInt32BE(at + 1))
        found.push(String.fromCharCode(bytes[at] ?? 0));
      return found.join('');
    });
  const first = exchange(client, [statement]);
  await next();
  expect(letters()).toEqual(['CPBDES']);
  socket.push(Buffer.concat([message('3'), message('1'), message('2')]));
  socket.push(Buffer.concat([says.columns, says.row, says.done, says.ready]));
  expect(await first).toEqual([[{ big: 5 }]]);
  socket.written = [];
  const second = exchange(client, [statement]);
  await next();
  expect(letters()).toEqual(['BES']);
  socket.push(Buffer.concat([message('2'), says.row, says.done, says.ready]));
  expect(await second).toEqual([[{ big: 5 }]]);
});

/** A custom query that notes how pg calls it. */
function openNoted(more: object = {}) {
  const calls: [string, ...unknown[]][] = [];
  const note =
    (name: string) =>
    (...given: unknown[]) =>
      void calls.push([name, ...given]);
  const names = ['RowDescription', 'DataRow', 'CopyInResponse', 'CommandComplete', 'ReadyForQuery'];
  const handlers = [...names, 'Error'].map((name) => [`handle${name}`, note(`handle${name}`)]);
  const submit = (connection: unknown) => {
    calls.push(['submit', connection]);
    return null;
  };
  return {
    calls,
    query: { callback: note('callback'), submit, ...Object.fromEntries(handlers), ...more },
  };
}

test('a custom query is given the connection by `submit`, and each answer by the handler of its name', async () => {
  const { client, socket, connection } = await connected();
  const { calls, query } = openNoted();
  client.query(query);
  socket.push(Buffer.concat([says.columns, says.row, says.takesRows, says.done, says.ready]));
  await next();
  expect(calls.map(([name]) => name)).toEqual([
    'submit',
    'handleRowDescription',
    'handleDataRow',
    'handleCopyInResponse',
    'handleCommandComplete',
    'handleReadyForQuery',
  ]);
  expect(calls[0]?.[1]).toBe(connection);
  expect(calls[1]?.[1]).toMatchObject({ fields: [{ name: 'big', dataTypeID: 20 }] });
  expect(calls[2]?.[1]).toMatchObject({ fields: ['5'] });
});

test('what the server refuses is a `DatabaseError` for `handleError`, and the next query waits for ready', async () => {
  const { client, socket, connection } = await connected();
  const [refused, after] = [openNoted(), openNoted()];
  client.query(refused.query);
  client.query(after.query);
  socket.push(says.refusal);
  await next();
  expect(refused.calls.map(([name]) => name)).toEqual(['submit', 'handleError']);
  expect(refused.calls[1]?.[1]).toBeInstanceOf(pg.DatabaseError);
  expect(refused.calls[1]?.[1]).toMatchObject({ code: '23505', severity: 'ERROR' });
  expect(refused.calls[1]?.[2]).toBe(connection);
  expect(after.calls).toEqual([]);
  socket.push(says.ready);
  await next();
  expect(after.calls.map(([name]) => name)).toEqual(['submit']);
});

test('an error that `submit` returns, and a lost connection, are for `handleError`', async () => {
  const { client, socket, connection } = await connected();
  const unsent = new Error('not sent');
  const [refused, lost] = [openNoted({ submit: () => unsent }), openNoted()];
  client.query(refused.query);
  client.query(lost.query);
  await next();
  expect(refused.calls).toEqual([['handleError', unsent, connection]]);
  socket.destroy();
  await next();
  expect(lost.calls.map(([name]) => name)).toEqual(['submit', 'handleError']);
});

test('`query_timeout` of a custom query ends it with "Query read timeout", and wraps its `callback`', async () => {
  const { client } = await connected();
  const ended = new Promise<unknown>((resolve) => {
    client.query(openNoted({ query_timeout: 1, callback: resolve }).query);
  });
  expect(await ended).toMatchObject({ message: 'Query read timeout' });
  const { query } = openNoted({ query_timeout: 60_000 });
  const own = query.callback;
  client.query(query);
  expect(query.callback).not.toBe(own);
  query.callback();
});

/** A pool of sockets that answer. */
const poolOf = (more: pg.PoolConfig = {}) =>
  new pg.Pool({ ...more, stream: () => new Socket() as never });

test('`pool.options.connectionString` is read whenever a client is made', async () => {
  const pool = poolOf();
  const hosts = ['first', 'second'];
  Object.defineProperty(pool.options, 'connectionString', {
    get: () => `postgres://${hosts[0]}/ledger`,
  });
  const first = await pool.connect();
  hosts.shift();
  const second = await pool.connect();
  expect([first, second].map((client) => (client as pg.PoolClient & pg.Client).host)).toEqual([
    'first',
    'second',
  ]);
});

test('a pool drops a client that is ending when it is released', async () => {
  const pool = poolOf();
  const client = await pool.connect();
  expect(pool.totalCount).toBe(1);
  pool.once('release', () => void (client as pg.PoolClient & pg.Client).end().catch(() => {}));
  client.release();
  expect(pool.totalCount).toBe(0);
});

test('a full pool says "timeout exceeded when trying to connect"', async () => {
  const pool = poolOf({ max: 1, connectionTimeoutMillis: 50 });
  await pool.connect();
  await expect(pool.connect()).rejects.toThrow('timeout exceeded when trying to connect');
});
