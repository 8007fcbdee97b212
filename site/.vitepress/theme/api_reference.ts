import { useData, withBase } from 'vitepress';
import { defineComponent, h, onMounted, ref, watch } from 'vue';
import { readWhere, type Where } from './where';

declare const __REFERENCE_SCRIPT__: string;

interface Reference {
  updateConfiguration(configuration: object): void;
}
interface Scalar {
  createApiReference(place: string, configuration: object): Reference;
}

/** The documents by the name in the page's frontmatter: as a service gives them. */
const served: Readonly<Record<string, string>> = {
  openapi: '/openapi.json',
  'portal.openapi': '/portal/api/openapi.json',
};

/**
 * The reference calls no other server. Its assistant, its deploy and registry links, its fonts, its proxy
 * and its telemetry are off; the page's policy forbids them as well (rules/docs-site#6).
 */
const quiet = {
  agent: { disabled: true },
  mcp: { disabled: true },
  showDeveloperTools: 'never',
  hideClientButton: true,
  telemetry: false,
  persistAuth: false,
  withDefaultFonts: false,
  proxyUrl: '',
  defaultOpenAllTags: false,
  hideDarkModeToggle: true,
  theme: 'default',
  // The site's search has the operations.
  hideSearch: true,
};

/** The token endpoint takes the secret in the body, and no scope: a client has one. Its id is filled in. */
const authentication = ({ client_id = '' }: Where) => ({
  preferredSecurityScheme: 'oauth2',
  securitySchemes: {
    oauth2: {
      flows: {
        clientCredentials: {
          'x-scalar-credentials-location': 'body',
          selectedScopes: [],
          'x-scalar-client-id': client_id,
        },
      },
    },
  },
});

/** Adds the script of the reference, once. */
const loadScript = () =>
  new Promise<Scalar>((resolve, reject) => {
    const script = document.createElement('script');
    script.src = withBase(`/${__REFERENCE_SCRIPT__}`);
    script.onload = () => resolve((window as unknown as { Scalar: Scalar }).Scalar);
    script.onerror = () => reject(new Error('the script of the reference was not loaded'));
    document.head.append(script);
  });

/** How far the reference of the page has come. */
export const referenceState = ref<'loading' | 'ready' | 'failed'>('loading');

/** An OpenAPI document as a page with which it can be tried; nothing on other pages. */
export const ApiReference = defineComponent(() => {
  const { frontmatter, isDark } = useData();
  const name = (): string | undefined => frontmatter.value.reference;
  const configurationOf = (url: string, where: Where) => ({
    ...quiet,
    url,
    authentication: authentication(where),
    forceDarkModeState: isDark.value ? 'dark' : 'light',
  });

  onMounted(async () => {
    const document = name();
    if (document === undefined) return;
    try {
      const [scalar, where] = await Promise.all([loadScript(), readWhere()]);
      const url = where.environment ? served[document] : withBase(`/reference/${document}.json`);
      const reference = scalar.createApiReference('#reference', configurationOf(url ?? '', where));
      watch(isDark, () => reference.updateConfiguration(configurationOf(url ?? '', where)));
      referenceState.value = 'ready';
    } catch {
      referenceState.value = 'failed';
    }
  });

  return () => {
    if (name() === undefined) return null;
    const said = {
      loading: 'The reference is loading.',
      ready: null,
      failed: 'The reference could not be loaded. Load this page again.',
    }[referenceState.value];
    return [
      said === null ? null : h('p', { class: 'reference-state', role: 'status' }, said),
      h('div', { id: 'reference' }),
    ];
  };
});
