import { setBaseUrl } from './base.ts';
import { handleReturn, open } from './index.ts';

/** `<script src="https://pay.example/sdk/v1.js">`: the same as the package, as `TenantPayments`. */
const script = document.currentScript;
if (script instanceof HTMLScriptElement) setBaseUrl(new URL(script.src).origin);

// When loaded twice, the first one stays: it holds the open flow.
const page = globalThis as typeof globalThis & { TenantPayments?: object };
page.TenantPayments ??= { open, handleReturn };
