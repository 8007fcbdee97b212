import { Search } from '../../staff/palette/opener.tsx';

const load = () => import('./palette.tsx');

/** Finds records, pages and actions of the Tenant (Ctrl K). */
export const Jump = () => <Search name="portal" load={load} />;
