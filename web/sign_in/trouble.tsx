import { FailureNotice } from '../ui/notice.tsx';
import { words } from './texts.ts';
import type { Work } from './use_work.ts';

/** The failure or the canceling of an action, said where people look for it. */
export function Trouble({ work }: { readonly work: Work }) {
  return (
    <>
      <FailureNotice failure={work.failure} />
      <p role="status">{work.isCanceled && words.signIn.canceled}</p>
    </>
  );
}
