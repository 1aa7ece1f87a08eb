import type { PageRoute } from '../kernel/page-route.ts'

export const apiTokenRoutes: readonly PageRoute[] = [
  { path: '/users/profile/api_tokens', title: 'API Tokens', page: async () => (await import('./own-tokens-page.tsx')).OwnTokensPage },
  { path: '/users/profile/api_tokens/new', title: 'New API Token', page: async () => (await import('./new-token-page.tsx')).NewTokenPage },
  {
    path: '/settings/api_tokens',
    title: 'API Tokens',
    may: 'setting.update',
    page: async () => (await import('./token-list.tsx')).TokenList,
  },
]
