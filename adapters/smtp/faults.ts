import type { MessageFailure } from '@tenant-payments/service/rails/messages.ts';

/** An error of nodemailer. Its words hold the recipient, and are kept nowhere. */
interface SmtpError {
  readonly code?: string;
  readonly responseCode?: number;
  readonly response?: string;
  readonly command?: string;
  readonly rejectedErrors?: readonly SmtpError[];
}

/** A refusal as the service knows it: by its name, since an adapter is built into a file of its own. */
export const refused = (reason: MessageFailure, code: string): Error =>
  Object.assign(new Error(code), { name: 'Refused', reason });

/** `550 5.1.1`, the code of the answer with its enhanced one (RFC 3463). */
const codeOf = ({ responseCode, response }: SmtpError): string => {
  const [, enhanced] = /^\d{3}[ -]([245]\.\d{1,3}\.\d{1,3})\b/.exec(response ?? '') ?? [];
  return enhanced === undefined ? String(responseCode) : `${responseCode} ${enhanced}`;
};

/** Answers to the recipient and to the text are about this message; all others are about us. */
const ofMessage: readonly string[] = ['RCPT TO', 'DATA'];

/**
 * A refusal for ever (5xx to the recipient or the text) as `Refused`; anything else as an error by which the
 * message is tried again. Neither says who the recipient is.
 */
export function faultOf(thrown: unknown): Error {
  const error = thrown as SmtpError;
  const told = error.rejectedErrors?.[0] ?? error;
  const { responseCode = 0 } = told;
  const command = told.command ?? error.command ?? '';
  const isForEver = responseCode >= 500 && responseCode < 600;
  if (isForEver && ofMessage.includes(command)) {
    const isAddress = command === 'RCPT TO';
    return refused(isAddress ? 'bounced' : 'undeliverable', codeOf(told));
  }
  // No server was asked: the address cannot be written into its protocol.
  if (error.code === 'EENVELOPE' && command === 'API') return refused('undeliverable', 'EENVELOPE');
  if (responseCode > 0)
    return new Error(`the mail server answers ${codeOf(told)}${command ? ` to ${command}` : ''}`);
  return new Error(`the mail server cannot be reached (${error.code ?? 'no answer'})`);
}
