import type { Router, Theme } from 'vitepress';
import DefaultTheme from 'vitepress/theme-without-fonts';
import { h } from 'vue';
import { FrontPage } from './front_page';
import { NotFound } from './not_found';
import { OwnValues } from './own_values';
import { ReferencePage } from './reference_page';
import '../../../web/ui/styles/tokens.css';
import '../../../web/ui/styles/font.css';
import '../../../web/ui/styles/drawing.css';
import './site.css';
import './code.css';
import './diagrams.css';
import './front.css';

/** Its pages have a policy of their own, which only a load of the whole page brings. */
const isReference = (path: string) => /\/(portal-)?api(\.html)?$/.test(path.replace(/[?#].*$/, ''));

function loadWholeReference(router: Router): void {
  const before = router.onBeforeRouteChange;
  router.onBeforeRouteChange = (to) => {
    const path = location.pathname;
    const isNew = new URL(to, location.href).pathname !== path;
    if (!isNew || (!isReference(to) && !isReference(path))) return before?.(to);
    location.assign(to);
    return false;
  };
}

const theme: Theme = {
  extends: DefaultTheme,
  Layout: () =>
    h(DefaultTheme.Layout, null, {
      'doc-before': () => h(OwnValues),
      'not-found': () => h(NotFound),
    }),
  enhanceApp({ app, router }) {
    app.component('front', FrontPage);
    app.component('reference', ReferencePage);
    if (!import.meta.env.SSR) loadWholeReference(router);
  },
};

export default theme;
