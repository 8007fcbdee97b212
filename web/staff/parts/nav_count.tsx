import { useAttention } from '../attention/use_attention.ts';
import { itemsAt } from '../attention/words.ts';

/** More are shown as so many, and more. */
const most = 99;

/** How much needs a person at a page, beside the way to it; nothing where nothing does. */
export function NavCount({ for: path }: { readonly for: string }) {
  const { items = [], isConsole } = useAttention();
  const own = itemsAt(path, items, isConsole);
  if (own.length === 0) return null;
  const count = own.reduce((sum, item) => sum + item.count, 0);
  const isMore = own.some(({ is_more }) => is_more) || count > most;
  const isTrouble = own.some(({ is_trouble }) => is_trouble);
  return (
    <span className={`mark is-${isTrouble ? 'bad' : 'plain'}`}>
      {`${Math.min(count, most)}${isMore ? '+' : ''}`}
      <span className="unseen">{isTrouble ? ' to worry about' : ' waiting'}</span>
    </span>
  );
}
