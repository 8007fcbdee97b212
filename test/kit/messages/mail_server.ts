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
  /** With it the server offers STARTTLS and asks who signs in. */
  readonly certificate?: Certificate;
  readonly user?: { readonly name: string; readonly password: string };
}

const failed = (answer: string): Error =>
  Object.assign(new Error(answer.slice(4)), { responseCode: Number(answer.slice(0, 3)) });

/** A real SMTP server that keeps what it is given, and answers as it is told. */
export async function startMailServer({ certificate, user }: Options = {}) {
  const mails: ParsedMail[] = [];
  let answers: Answers = {};
  let delayMs = 0;
  const tried: string[] = [];
  const recipients: string[] = [];
  let open = 0;
  let most = 0;
  const after = (done: () => void) => setTimeout(done, delayMs);
  const answer = (said: string | null | undefined, done: (error?: Error | null) => void) =>
    after(() => (said ? done(failed(said)) : done()));
  const options: SMTPServerOptions = {
    ...(certificate && { key: certificate.key, cert: certificate.cert }),
    disabledCommands: certificate ? [] : ['STARTTLS', 'AUTH'],
    authOptional: !user,
    onAuth(auth, session, done) {
      tried.push(`${auth.method}${session.secure ? ' over TLS' : ''}`);
      const isRight = auth.username === user?.name && auth.password === user?.password;
      if (isRight) done(null, { user: auth.username });
      else done(failed('535 5.7.8 wrong'));
    },
    onConnect(_session, done) {
      open += 1;
      most = Math.max(most, open);
      done();
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
      simpleParser(stream).then((mail) => {
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
    server.listen(0, '127.0.0.1', () => done());
  });
  const address = server.server.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  return {
    port,
    /** What was taken, parsed as a reader's program does. */
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
    stop: () => new Promise<void>((done) => server.close(() => done())),
  };
}
