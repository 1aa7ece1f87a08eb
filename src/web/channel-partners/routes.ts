import type { PageRoute } from '../kernel/page-route.ts'

export const channelPartnerRoutes: readonly PageRoute[] = [
  {
    path: '/channel_partners',
    title: 'Channel Partners',
    may: 'channel_partner.read',
    page: async () => (await import('./partner-list.tsx')).PartnerList,
  },
  {
    path: '/channel_partners/new',
    title: 'New Channel Partner',
    may: 'channel_partner.create',
    page: async () => (await import('./partner-form.tsx')).NewPartner,
  },
  {
    path: '/channel_partners/:channel_partner_id/edit',
    title: 'Edit Channel Partner',
    may: 'channel_partner.update',
    page: async () => (await import('./partner-form.tsx')).EditPartner,
  },
  {
    path: '/clients/:client_id/channel_partners/:channel_partner_id/edit',
    title: 'Edit Channel Partner',
    may: 'channel_partner.update',
    page: async () => (await import('./partner-form.tsx')).EditPartnerOfClient,
  },
]
