import type { ComponentType } from 'react'
import { useQuery } from '@tanstack/react-query'
import type { CrudCalls } from '#contract/kernel/call.ts'
import type { Entity, Fields, RowOf } from '#contract/kernel/entity.ts'
import { DeleteItem } from '../kernel/lists/delete-item.tsx'
import { EntityForm } from '../kernel/forms/entity-form.tsx'
import type { OptionSource } from '../kernel/forms/picker.tsx'
import { ListPage } from '../kernel/lists/list-page.tsx'
import { usePathId } from '../kernel/navigation.tsx'
import { Can, useCan } from '../kernel/permissions.tsx'
import { apiQuery } from '../kernel/query.ts'
import { RecordGate } from '../kernel/record-gate.tsx'
import { formCalls } from '../kernel/forms/use-entity-form.ts'
import { MenuItem } from '../ui/menu.tsx'

interface SettingEntity<Name extends string, Plural extends string, F extends Fields> {
  entity: Entity<Name, Plural, F>
  calls: CrudCalls<Name, Plural, string, F>
  /** Path of its list: '/settings/units'. */
  at: string
  columns: readonly (keyof RowOf<F> & string)[]
  /** The tabs above the list. */
  tabs: ComponentType
  /** Sources of the form's pickers. */
  pickers?: Readonly<Record<string, OptionSource>>
  /** The page that imports the list from a file. */
  importHref?: string
}

/** Returns the list, new and edit pages of a plain settings entity, derived from its fields. */
export function settingPages<Name extends string, Plural extends string, F extends Fields>(setting: SettingEntity<Name, Plural, F>) {
  const { entity, calls, at, columns, tabs: TabsAbove, pickers, importHref } = setting
  const editHref = (row: RowOf<F>) => `${at}/${row.id}/edit`

  function List() {
    const mayEdit = useCan('setting.update')
    return (
      <>
        <TabsAbove />
        <ListPage
          entity={entity}
          calls={calls}
          columns={columns}
          rowHref={mayEdit ? editHref : undefined}
          perDefault={entity.list.sizes?.[0]}
          addNew={{ href: `${at}/new`, may: 'setting.create' }}
          importHref={importHref}
          actions={(row) => (
            <>
              <Can do="setting.update">
                <MenuItem href={editHref(row)}>Edit</MenuItem>
              </Can>
              <Can do="setting.destroy">
                <DeleteItem call={calls.destroy} params={{ id: row.id }} />
              </Can>
            </>
          )}
        />
      </>
    )
  }

  function Form({ row }: { row?: RowOf<F> }) {
    return <EntityForm entity={entity} row={row} pickers={pickers} {...formCalls(calls, entity.name, {})} backHref={at} />
  }

  function Edit() {
    const asked = useQuery(apiQuery(calls.get, { params: { id: usePathId('id') } }))
    return <RecordGate asked={asked}>{(found) => <Form row={found[entity.name]} />}</RecordGate>
  }

  return { List, New: () => <Form />, Edit }
}
