/** How long the service may take to answer. */
const answerMs = 3_000;

interface Asking {
  /** Takes the frame and the listener away. */
  stop(): void;
}

/**
 * Asks the service whether it refuses to let this site show a page: a browser that keeps a frame empty for it tells the
 * page around it nothing. By another frame, since a site's policy allows those of the service, and may forbid calls.
 */
export function askFraming(page: string, refused: () => void): Asking {
  const frame = document.createElement('iframe');
  frame.hidden = true;
  frame.referrerPolicy = 'no-referrer';
  frame.src = `${page}/framing?origin=${encodeURIComponent(location.origin)}`;
  const stop = () => {
    clearTimeout(timer);
    removeEventListener('message', answered);
    frame.remove();
  };
  const answered = ({ source, data }: MessageEvent) => {
    if (source !== frame.contentWindow) return;
    stop();
    if (data?.allowed === false) refused();
  };
  const timer = setTimeout(stop, answerMs);
  addEventListener('message', answered);
  document.body.append(frame);
  return { stop };
}
