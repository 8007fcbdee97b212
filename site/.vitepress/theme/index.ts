import { type Router, type Theme, withBase } from 'vitepress';
import DefaultTheme from 'vitepress/theme-without-fonts';
import { h } from 'vue';
import { OwnValues } from './own_values';
import { ReferencePage } from './reference_page';
import '../../../web/ui/styles/tokens.css';
import '../../../web/ui/styles/font.css';
import '../../../web/ui/styles/drawing.css';
import './site.css';
import './code.css';

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

const notFound = () =>
  h('main', { class: 'not-found' }, [
    h('h1', 'This page is not there'),
    h('p', [h('a', { href: withBase('/') }, 'All documentation'), ', or the search above']),
  ]);

const theme: Theme = {
  extends: DefaultTheme,
  Layout: () =>
    h(DefaultTheme.Layout, null, { 'doc-before': () => h(OwnValues), 'not-found': notFound }),
  enhanceApp({ app, router }) {
    app.component('reference', ReferencePage);
    if (!import.meta.env.SSR) loadWholeReference(router);
  },
};

export default theme;
