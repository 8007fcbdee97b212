import { logoPathOf } from '@tenant-payments/contract/core/logos.ts';
import { render } from 'preact';
import type { Failure } from '../../ui/failure.ts';
import { Frame } from '../../ui/frame.tsx';
import { PageContext } from '../../ui/page_context.ts';
import { localeOf } from '../../ui/texts/locale.ts';
import { paintBrand } from '../../ui/theme.ts';
import { ConfirmFlow } from '../confirm/flow.tsx';
import { type Session, SessionContext } from '../session/session.ts';
import { textsIn } from '../texts/texts_in.ts';
import { sampleView } from './sample.ts';

/** Nothing is called: the page that frames this one looks, and does nothing here. */
const refused: Failure = { kind: 'offline', requestId: null };

/**
 * Reads the look of the preview from the fragment:
 * `#name=Harbor&color=%231f5eff&locale=es&scheme=dark`.
 */
function wishes() {
  const asked = new URLSearchParams(location.hash.slice(1));
  const color = asked.get('color') ?? '';
  return {
    tenantName: asked.get('name') ?? '',
    logo: logoPathOf(asked.get('logo')),
    color: /^#[0-9a-f]{6}$/i.test(color) ? color : null,
    locale: localeOf([asked.get('locale')]),
    isDark: asked.get('scheme') === 'dark',
  };
}

const darkQuery = '(prefers-color-scheme: dark)';
const darkRules = (): CSSMediaRule[] =>
  [...document.styleSheets]
    .flatMap(({ cssRules }) => [...cssRules])
    .filter(
      (rule): rule is CSSMediaRule =>
        rule instanceof CSSMediaRule && rule.conditionText === darkQuery,
    );

/** The reader's choice in place of the device's: the same rules, switched by hand. */
function paintScheme(rules: readonly CSSMediaRule[], isDark: boolean): void {
  for (const rule of rules) rule.media.mediaText = isDark ? 'all' : 'not all';
  document.documentElement.style.colorScheme = isDark ? 'dark' : 'light';
}

/** Shows a real page with sample data, and again whenever the fragment changes. */
export function preview(app: HTMLElement): void {
  const { documentElement } = document;
  const environment = documentElement.dataset.environment === 'sandbox' ? 'sandbox' : 'production';
  const rules = darkRules();
  function show(): void {
    const { tenantName, logo, color, locale, isDark } = wishes();
    const texts = textsIn[locale];
    documentElement.lang = locale;
    if (logo === null) delete documentElement.dataset.logo;
    else documentElement.dataset.logo = logo;
    if (color !== null) documentElement.style.setProperty('--brand', color);
    paintScheme(rules, isDark);
    paintBrand();
    const session: Session = {
      view: sampleView(environment),
      call: async () => ({ ok: false, failure: refused }),
      event: () => {},
      end: () => {},
      leave: () => {},
      wayBack: null,
    };
    const page = { texts, locale, tenantName, isFramed: true, seen: () => {} };
    render(
      <PageContext.Provider value={page}>
        <SessionContext.Provider value={session}>
          <Frame isSandbox={environment === 'sandbox'} onClose={() => {}}>
            <ConfirmFlow />
          </Frame>
        </SessionContext.Provider>
      </PageContext.Provider>,
      app,
    );
  }
  addEventListener('hashchange', show);
  app.replaceChildren();
  // The frame's own `inert` does not keep a page in it from taking the window's focus.
  app.inert = true;
  show();
}
