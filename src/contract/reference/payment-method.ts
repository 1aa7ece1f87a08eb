/** A payment method: how a vendor is paid. Its name is the payment type of bills and batches (G-PAY-TYPE). */
import { z } from 'zod'
import { crudCalls, optionsCall } from '../kernel/call.ts'
import { entity, text, type Draft, type Row } from '../kernel/entity.ts'

export const paymentMethod = entity(
  'payment_method',
  'payment_methods',
  { name: text('Name', 60), description: text('Description') },
  { filter: ['id', 'name', 'description'], sort: ['name', 'description', 'id'], defaultSort: 'name asc', sizes: [20, 50, 100] },
)
export type PaymentMethod = Row<typeof paymentMethod>
export type PaymentMethodDraft = Draft<typeof paymentMethod>

export const paymentMethodCalls = {
  ...crudCalls(paymentMethod, '/payment_methods', {
    list: 'signed_in',
    read: 'setting.read',
    create: 'setting.create',
    update: 'setting.update',
    destroy: 'setting.destroy',
  }),
  selectOptions: optionsCall(
    'payment_methods',
    '/payment_methods/select_options',
    'signed_in',
    z.object({ id: z.int(), name: z.string() }),
  ),
}
