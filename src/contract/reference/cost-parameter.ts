/**
 * A cost parameter: a factor that costs may be adjusted for, such as the weather. Any signed-in user may list them, provider staff changes them.
 */
import { z } from 'zod'
import { crudCalls, optionsCall } from '../kernel/call.ts'
import { boolean, defaulted, entity, text, type Draft, type Row } from '../kernel/entity.ts'

export const costParameter = entity(
  'cost_parameter',
  'cost_parameters',
  { name: text('Name'), active: defaulted(boolean('Active'), true) },
  { filter: ['id', 'name', 'active'], sort: ['name', 'active', 'id'], defaultSort: 'name asc' },
)
export type CostParameter = Row<typeof costParameter>
export type CostParameterDraft = Draft<typeof costParameter>

export const costParameterCalls = {
  ...crudCalls(costParameter, '/cost_parameters', {
    list: 'signed_in',
    read: 'setting.read',
    create: 'setting.create',
    update: 'setting.update',
    destroy: 'setting.destroy',
  }),
  selectOptions: optionsCall(
    'cost_parameters',
    '/cost_parameters/select_options',
    'signed_in',
    z.object({ id: z.int(), name: z.string() }),
  ),
}
