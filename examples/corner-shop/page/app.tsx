import { useState } from 'preact/hooks';
import { useKeptFocus } from './focus.ts';
import { Inspector } from './inspector/inspector.tsx';
import { Tabs } from './parts.tsx';
import { Phone } from './phone/phone.tsx';
import { clockTime, ShopContext, useNow, useShop, useStream } from './shop.ts';
import { LocaleContext, useChosenLocale, useTexts } from './texts/locale.ts';
import { Till } from './till/till.tsx';
import { Tour } from './tour/tour.tsx';

type Column = 'till' | 'phone' | 'inspector';

const columns = ['till', 'phone', 'inspector'] as const;

/** The shop's logo, which the hosted pages show too. */
const Logo = () => (
  <svg class="logo" viewBox="0 0 32 32" aria-hidden="true" focusable="false">
    <rect width="32" height="32" rx="7" />
    <path d="M7 13h14v6.5a6 6 0 0 1-6 6h-2a6 6 0 0 1-6-6z" />
    <path d="M21 14.8h1.8a3 3 0 0 1 0 6H21M11.6 6.2c-1.3 1.7 1.3 2.1 0 3.8M16.6 6.2c-1.3 1.7 1.3 2.1 0 3.8" />
  </svg>
);

const languages = { en: 'English', es: 'Español' } as const;

function Languages() {
  const { texts, locale, choose } = useTexts();
  return (
    <fieldset class="people languages">
      <legend class="visually-hidden">{texts.language}</legend>
      {(['en', 'es'] as const).map((id) => (
        <label key={id} lang={id}>
          <input type="radio" name="language" checked={locale === id} onChange={() => choose(id)} />
          <span>{languages[id]}</span>
        </label>
      ))}
    </fieldset>
  );
}

function Clock() {
  const { texts } = useTexts();
  const { state } = useShop();
  const now = useNow();
  const ahead = Math.round(state.clock_offset_ms / 60_000);
  return (
    <p class="clock">
      <span class="soft">{texts.clock}</span> <time>{clockTime(now)}</time>
      {ahead > 0 && (
        <span class="ahead">
          {ahead < 120 ? texts.minutes(ahead) : texts.hours(Math.round(ahead / 60))}
        </span>
      )}
    </p>
  );
}

function Head({ isLive }: { readonly isLive: boolean }) {
  const { texts } = useTexts();
  return (
    <header class="head">
      <Logo />
      <div>
        <h1>Corner Shop</h1>
        <p class="soft">{texts.lead}</p>
      </div>
      {!isLive && (
        <p class="fault" role="alert">
          {texts.noAnswer}
        </p>
      )}
      <Languages />
      <Clock />
    </header>
  );
}

/** Till, phone and inspector: side by side on a wide screen, behind tabs on a narrow one. */
function Shop({ isLive }: { readonly isLive: boolean }) {
  const { texts } = useTexts();
  const [column, setColumn] = useState<Column>('till');
  const tabs = columns.map((id) => ({ id, label: texts.column[id] }));
  return (
    <>
      <Head isLive={isLive} />
      <Tour look={setColumn} />
      <nav class="switch" aria-label={texts.parts}>
        <Tabs name="column" label={texts.parts} tabs={tabs} chosen={column} onChoose={setColumn} />
      </nav>
      <main class={`columns shows-${column}`} id="column-panel">
        <Till />
        <Phone />
        <Inspector />
      </main>
    </>
  );
}

function PhoneAlone() {
  const { texts } = useTexts();
  return (
    <main class="alone">
      <h1 class="visually-hidden">{texts.phoneAlone}</h1>
      <Phone isAlone />
    </main>
  );
}

/** Before the shop's server has said how things stand. */
function Opening({ isLive }: { readonly isLive: boolean }) {
  const { texts } = useTexts();
  return (
    <main class="opening" aria-busy="true">
      <Logo />
      <p role="status">{isLive ? texts.opening : texts.notYet}</p>
    </main>
  );
}

export function App() {
  const { state, isLive } = useStream();
  const language = useChosenLocale();
  const [person, hold] = useState('sample-ana');
  const [shown, show] = useState<number | null>(null);
  useKeptFocus();
  return (
    <LocaleContext.Provider value={language}>
      {state === null ? (
        <Opening isLive={isLive} />
      ) : (
        <ShopContext.Provider value={{ state, person, hold, shown, show }}>
          {location.hash === '#phone' ? <PhoneAlone /> : <Shop isLive={isLive} />}
        </ShopContext.Provider>
      )}
    </LocaleContext.Provider>
  );
}
