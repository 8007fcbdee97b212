import { type ParsedMail, simpleParser } from 'mailparser';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';
import type { Certificate } from '../http/certificates.ts';

/** How the server answers a step of a mail: null takes it. */
export interface Answers {
  readonly sender?: string | null;
  readonly recipient?: string | null;
  readonly text?: string | null;
}

interface Options {
  /** With it the server offers STARTTLS. */
  readonly certificate?: Certificate;
  /** The only user who may send. */
  readonly user?: { readonly name: string; readonly password: string };
  /** An address of this machine. */
  readonly host?: string;
}

const failed = (answer: string): Error =>
  Object.assign(new Error(answer.slice(4)), { responseCode: Number(answer.slice(0, 3)) });

/** A real SMTP server that keeps what it is given, and answers as it is told. */
export async function startMailServer({ certificate, user, host = '127.0.0.1' }: Options = {}) {
  const mails: ParsedMail[] = [];
  let answers: Answers = {};
  let delayMs = 0;
  let isDown = false;
  let texts = 0;
  let held: Promise<void> | null = null;
  let password = user?.password;
  const tried: string[] = [];
  const recipients: string[] = [];
  let open = 0;
  let most = 0;
  const after = (done: () => void) => setTimeout(done, delayMs);
  const answer = (said: string | null | undefined, done: (error?: Error | null) => void) =>
    after(() => (said ? done(failed(said)) : done()));
  const options: SMTPServerOptions = {
    ...(certificate && { key: certificate.key, cert: certificate.cert }),
    disabledCommands: [...(certificate ? [] : ['STARTTLS']), ...(user ? [] : ['AUTH'])],
    allowInsecureAuth: !certificate,
    authOptional: !user,
    onAuth(auth, session, done) {
      tried.push(`${auth.method}${session.secure ? ' over TLS' : ''}`);
      const isRight = auth.username === user?.name && auth.password === password;
      if (isRight) done(null, { user: auth.username });
      else done(failed('535 5.7.8 wrong'));
    },
    onConnect(_session, done) {
      open += 1;
      most = Math.max(most, open);
      done(isDown ? failed('421 4.3.2 closed') : null);
    },
    onClose() {
      open -= 1;
    },
    onMailFrom: (_address, _session, done) => answer(answers.sender, done),
    onRcptTo({ address }, _session, done) {
      recipients.push(address);
      answer(answers.recipient, done);
    },
    onData(stream, _session, done) {
      simpleParser(stream).then(async (mail) => {
        texts += 1;
        await held;
        answer(answers.text, (error) => {
          if (!error) mails.push(mail);
          done(error);
        });
      }, done);
    },
  };
  const server = new SMTPServer(options);
  // A client that gives up mid-way is part of the tests.
  server.on('error', () => {});
  await new Promise<void>((done) => {
    server.listen(0, host, () => done());
  });
  const address = server.server.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  return {
    port,
    /** The mails taken, parsed as a reader's program does. */
    mails,
    /** Every address that was named to it. */
    recipients,
    /** How somebody tried to sign in. */
    tried,
    /** The most connections that it has had at a time. */
    most: () => most,
    answers: (given: Answers) => {
      answers = given;
    },
    delay: (ms: number) => {
      delayMs = ms;
    },
    /** How many texts have come, answered or not. */
    texts: () => texts,
    /** Leaves texts without an answer until the function that it gives is called. */
    hold() {
      let release = () => {};
      held = new Promise((resolve) => {
        release = resolve;
      });
      return () => {
        held = null;
        release();
      };
    },
    /** Ends all connections, and takes no other until it is up again. */
    down: (given: boolean) => {
      isDown = given;
      for (const connection of server.connections) connection.close();
    },
    rotate: (given: string) => {
      password = given;
      for (const connection of server.connections) connection.close();
    },
    stop: () => new Promise<void>((done) => server.close(() => done())),
  };
}
