import type { PageRoute } from '../kernel/page-route.ts'

export const mailRoutes: readonly PageRoute[] = [
  { path: '/settings/mails', title: 'Mails', may: 'setting.update', page: async () => (await import('./mail-list.tsx')).MailList },
  { path: '/settings/mails/:id', title: 'Mail', may: 'setting.update', page: async () => (await import('./mail-page.tsx')).MailPage },
]
