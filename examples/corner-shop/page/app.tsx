import { useState } from 'preact/hooks';
import { useKeptFocus } from './focus.ts';
import { Inspector } from './inspector/inspector.tsx';
import { Tabs } from './parts.tsx';
import { Phone } from './phone/phone.tsx';
import { clockTime, ShopContext, useNow, useShop, useStream } from './shop.ts';
import { Till } from './till/till.tsx';
import { Tour } from './tour/tour.tsx';

type Column = 'till' | 'phone' | 'inspector';

const columns = [
  { id: 'till', label: 'Till' },
  { id: 'phone', label: 'Phone' },
  { id: 'inspector', label: 'Inspector' },
] as const;

const Cup = () => (
  <svg class="cup" viewBox="0 0 32 32" aria-hidden="true" focusable="false">
    <path d="M6 12h17v8a7 7 0 0 1-7 7h-3a7 7 0 0 1-7-7z" />
    <path d="M23 14h2.5a3.5 3.5 0 0 1 0 7H23M11 4.5c-1.5 2 1.5 2.5 0 4.5M17 4.5c-1.5 2 1.5 2.5 0 4.5" />
  </svg>
);

function Clock() {
  const { state } = useShop();
  const now = useNow();
  const ahead = Math.round(state.clock_offset_ms / 60_000);
  return (
    <p class="clock">
      <span class="soft">Sandbox time</span> <time>{clockTime(now)}</time>
      {ahead > 0 && (
        <span class="ahead">+{ahead < 120 ? `${ahead} min` : `${Math.round(ahead / 60)} h`}</span>
      )}
    </p>
  );
}

function Head({ isLive }: { readonly isLive: boolean }) {
  return (
    <header class="head">
      <Cup />
      <div>
        <h1>Corner Shop</h1>
        <p class="soft">A till, a phone, and everything that passes between them.</p>
      </div>
      {!isLive && (
        <p class="fault" role="alert">
          The shop does not answer. Trying again…
        </p>
      )}
      <Clock />
    </header>
  );
}

/** Till, phone and inspector: side by side on a wide screen, behind tabs on a narrow one. */
export function App() {
  const { state, isLive } = useStream();
  const [person, hold] = useState('sample-ana');
  const [shown, show] = useState<number | null>(null);
  const [column, setColumn] = useState<Column>('till');
  useKeptFocus();
  if (!state)
    return (
      <main class="opening" aria-busy="true">
        <Cup />
        <p role="status">{isLive ? 'Opening the shop…' : 'The shop does not answer yet.'}</p>
      </main>
    );
  if (location.hash === '#phone')
    return (
      <ShopContext.Provider value={{ state, person, hold, shown, show }}>
        <main class="alone">
          <h1 class="visually-hidden">Corner Shop, the phone</h1>
          <Phone isAlone />
        </main>
      </ShopContext.Provider>
    );
  return (
    <ShopContext.Provider value={{ state, person, hold, shown, show }}>
      <Head isLive={isLive} />
      <Tour look={setColumn} />
      <nav class="switch" aria-label="Parts of the shop">
        <Tabs name="column" tabs={columns} chosen={column} onChoose={setColumn} />
      </nav>
      <main class={`columns shows-${column}`} id="column-panel">
        <Till />
        <Phone />
        <Inspector />
      </main>
    </ShopContext.Provider>
  );
}
