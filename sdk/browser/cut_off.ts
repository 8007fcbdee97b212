/**
 * Whether this page's own `Cross-Origin-Opener-Policy` cuts it off from windows of other sites. Such a window reads as
 * closed, though it is open; only the header tells that from a customer who has closed it.
 */
export async function isCutOff(): Promise<boolean> {
  try {
    const { headers } = await fetch(location.href, { method: 'HEAD' });
    return /^\s*same-origin\s*(;|$)/.test(headers.get('cross-origin-opener-policy') ?? '');
  } catch {
    return false;
  }
}
