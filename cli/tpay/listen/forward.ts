import { connect } from 'node:net';
import { type Answer, post } from '../post.ts';

export interface Sending {
  /** Besides those of the service. */
  readonly headers: Readonly<Record<string, string>>;
  /** Takes any certificate: that of a development server. */
  readonly skipVerify: boolean;
}

/** Sends an event as the service would. @param given those of the service: its signature */
export const forward = (
  body: string,
  url: string,
  given: Readonly<Record<string, string>>,
  { headers, skipVerify }: Sending,
): Promise<Answer> => post(url, body, { headers: { ...headers, ...given }, skipVerify });

/** Whether somebody listens there. */
export function isUp(url: string): Promise<boolean> {
  const { hostname, port, protocol } = new URL(url);
  const usual = protocol === 'https:' ? 443 : 80;
  return new Promise((resolve) => {
    const socket = connect({
      host: hostname.replace(/^\[|\]$/g, ''),
      port: Number(port) || usual,
      timeout: 2_000,
    });
    const end = (up: boolean) => {
      socket.destroy();
      resolve(up);
    };
    socket.once('connect', () => end(true));
    socket.once('error', () => end(false));
    socket.once('timeout', () => end(false));
  });
}
