/**
 * A production unit: a facility's product, to compare its usage with. Any signed-in user may choose from the list, provider staff changes it.
 */
import { z } from 'zod'
import { crudCalls, optionsCall } from '../kernel/call.ts'
import { entity, text, type Draft, type Row } from '../kernel/entity.ts'

export const productionUnit = entity(
  'production_unit',
  'production_units',
  { name: text('Name') },
  { filter: ['id', 'name'], sort: ['name', 'id'], defaultSort: 'name asc' },
)
export type ProductionUnit = Row<typeof productionUnit>
export type ProductionUnitDraft = Draft<typeof productionUnit>

export const productionUnitCalls = {
  ...crudCalls(productionUnit, '/production_units', {
    list: 'signed_in',
    read: 'setting.read',
    create: 'setting.create',
    update: 'setting.update',
    destroy: 'setting.destroy',
  }),
  selectOptions: optionsCall(
    'production_units',
    '/production_units/select_options',
    'signed_in',
    z.object({ id: z.int(), name: z.string() }),
  ),
}
