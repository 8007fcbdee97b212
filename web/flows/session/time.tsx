import type { View } from '@tenant-payments/contract/hosted/view.ts';
import { useEffect, useRef, useState } from 'preact/hooks';
import { Actions, Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { usePage } from '../use_page.ts';

/** When the dialog appears, and the shortest time between two keep-alive requests. */
const askWithinSeconds = 120;
const aliveEveryMs = 30_000;
const signs = ['pointerdown', 'keydown', 'input', 'scroll'] as const;

interface TimeProps {
  readonly time: NonNullable<View['time']>;
  readonly alive: () => void;
  /** The session's time is over by this page's clock. */
  readonly over: () => void;
}

/** Seconds until a session ends; counted from when the view came, by the browser's clock. */
function useSecondsLeft({ time, over }: Pick<TimeProps, 'time' | 'over'>): number {
  const [left, setLeft] = useState(time.seconds_left);
  const last = useRef(over);
  last.current = over;
  useEffect(() => {
    const endsAt = Date.now() + time.seconds_left * 1_000;
    const look = () => {
      const seconds = Math.max(0, Math.ceil((endsAt - Date.now()) / 1_000));
      setLeft(seconds);
      if (seconds === 0) last.current();
    };
    setLeft(time.seconds_left);
    const timer = setInterval(look, 1_000);
    return () => clearInterval(timer);
  }, [time]);
  return left;
}

/** Input keeps the session alive, with at most one request in 30 seconds. */
function useSignsOfLife(alive: () => void): void {
  const last = useRef(alive);
  last.current = alive;
  useEffect(() => {
    let sentAt = Date.now();
    const sign = () => {
      if (Date.now() - sentAt < aliveEveryMs) return;
      sentAt = Date.now();
      last.current();
    };
    for (const name of signs) addEventListener(name, sign, { capture: true, passive: true });
    return () => {
      for (const name of signs) removeEventListener(name, sign, { capture: true });
    };
  }, []);
}

const clockOf = (seconds: number): string =>
  `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;

/** Asks in the last two minutes whether the customer needs more time (WCAG 2.2.1). */
export function SessionTime({ time, alive, over }: TimeProps) {
  const { texts } = usePage();
  const { staying } = texts;
  const left = useSecondsLeft({ time, over });
  const [isSeen, setSeen] = useState(false);
  useSignsOfLife(alive);
  const isShort = left <= askWithinSeconds;
  useEffect(() => {
    if (!isShort) setSeen(false);
  }, [isShort]);
  if (!isShort || isSeen) return null;
  const isLast = time.longest_seconds_left <= time.seconds_left;
  const answer = () => {
    setSeen(true);
    if (!isLast) alive();
  };
  return (
    <Dialog title={isLast ? staying.timeLastTitle : staying.timeTitle} onCancel={answer}>
      <p>{isLast ? staying.timeLast : staying.time}</p>
      <p class="countdown" role="timer">
        {staying.timeLeft}: <strong>{clockOf(left)}</strong>
      </p>
      <Actions>
        <Button onClick={answer}>{isLast ? staying.understood : staying.moreTime}</Button>
      </Actions>
    </Dialog>
  );
}
