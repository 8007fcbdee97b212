import '../ui/styles/base.css';
import './sign_in.css';
import { render } from 'preact';
import { paintBrand } from '../ui/theme.ts';
import { App, type Brought, broughtKinds } from './app.tsx';

/** Takes the token out of the address at once: it must not stay in the history. */
function takeToken(): Brought | null {
  const [, kind = '', token = ''] = /^#(\w+)=([\w-]{1,100})$/.exec(location.hash) ?? [];
  const known = broughtKinds.find((one) => one === kind);
  // The address of an organization is no secret, and stays for the next visit.
  if (known !== 'organization') history.replaceState(null, '', location.pathname);
  return known === undefined ? null : { kind: known, token };
}

const app = document.getElementById('app');
if (app) {
  paintBrand();
  const brought = takeToken();
  // Another link in the same tab changes only the fragment, so the page must be loaded again.
  addEventListener('hashchange', () => location.reload());
  app.replaceChildren();
  render(<App brought={brought} isDevice={location.pathname === '/portal/device'} />, app);
}
