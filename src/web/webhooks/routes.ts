import type { PageRoute } from '../kernel/page-route.ts'

const may = 'webhook.update'

export const webhookRoutes: readonly PageRoute[] = [
  { path: '/settings/webhooks', title: 'Webhooks', may, page: async () => (await import('./webhook-list.tsx')).WebhookList },
  { path: '/settings/webhooks/new', title: 'New Webhook', may, page: async () => (await import('./webhook-form.tsx')).NewWebhook },
  { path: '/settings/webhooks/:id/edit', title: 'Edit Webhook', may, page: async () => (await import('./webhook-form.tsx')).EditWebhook },
  {
    path: '/settings/webhooks/:webhook_id/deliveries',
    title: 'Deliveries',
    may,
    page: async () => (await import('./delivery-list.tsx')).DeliveryList,
  },
  {
    path: '/settings/webhooks/:webhook_id/deliveries/:delivery_id',
    title: 'Delivery',
    may,
    page: async () => (await import('./delivery-page.tsx')).DeliveryPage,
  },
]
