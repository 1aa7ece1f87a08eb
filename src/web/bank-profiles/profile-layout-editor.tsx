/** Edits a layout of a bank profile: its parts and columns, the layout in words, and the file of three invented payments. */
import { useState } from 'react'
import { profileLayoutCalls, type ProfileLayout } from '#contract/originating-profiles/profile-layout.ts'
import { editableFormats, layoutFaults } from '#contract/payment-files/layout-faults.ts'
import { layout as layoutSchema, layoutColumnsMax, type Layout } from '#contract/payment-files/layout.ts'
import { callApi } from '../kernel/api.ts'
import { FailedAttempt, useAttempt } from '../kernel/attempt.tsx'
import { useUnsavedGuard } from '../kernel/forms/use-unsaved-guard.ts'
import { resultNotice } from '../kernel/notices/notices.ts'
import { useCan } from '../kernel/permissions.tsx'
import { refreshed } from '../kernel/query.ts'
import { Button } from '../ui/button.tsx'
import styles from '../ui/layout-editor.module.css'
import { OrderedRows } from '../ui/ordered-rows.tsx'
import { ProblemList } from '../ui/problem-list.tsx'
import { LayoutColumnFields, newColumn } from './layout-column-fields.tsx'
import { LayoutParts } from './layout-parts.tsx'
import { LayoutSample } from './layout-sample.tsx'

interface EditorProps {
  readonly profile: { readonly id: number; readonly client_name: string }
  readonly chosen: ProfileLayout
  readonly stored: Layout
}

export function ProfileLayoutEditor({ profile, chosen, stored }: EditorProps) {
  const mayEdit = useCan('global_batch.update')
  const [layout, setLayout] = useState(stored)
  const isChanged = JSON.stringify(layout) !== JSON.stringify(stored)
  useUnsavedGuard(isChanged, () => undefined)
  const read = layoutSchema.safeParse(layout)
  const faults = read.success
    ? layoutFaults(chosen.format, layout).map(({ message }) => message)
    : read.error.issues.map(({ message }) => message)
  return (
    <section className={styles.layout} aria-label={`Layout of ${chosen.label}`}>
      <h2 className={styles.title}>{chosen.label}</h2>
      <fieldset disabled={!mayEdit} className={styles.layout} aria-label="Columns and formats">
        <LayoutParts layout={layout} onChange={(change) => setLayout({ ...layout, ...change })} />
        <OrderedRows
          label="Columns"
          what="column"
          rows={layout.columns}
          max={layoutColumnsMax}
          added={newColumn}
          onChange={(columns) => setLayout({ ...layout, columns })}
        >
          {(column, place, change) => <LayoutColumnFields layout={layout} column={column} place={place} onChange={change} />}
        </OrderedRows>
      </fieldset>
      <ProblemList label="What prevents it" role="alert" problems={faults} />
      <LayoutSample layout={layout} payerName={profile.client_name} isSound={faults.length === 0} />
      {mayEdit && <SaveLayout profileId={profile.id} chosen={chosen} layout={layout} isChanged={isChanged} faults={faults.length} />}
    </section>
  )
}

interface SaveProps {
  readonly profileId: number
  readonly chosen: ProfileLayout
  readonly layout: Layout
  readonly isChanged: boolean
  readonly faults: number
}

function SaveLayout({ profileId: id, chosen, layout, isChanged, faults }: SaveProps) {
  const attempt = useAttempt()
  const format = editableFormats.find((one) => one === chosen.format)
  const save = (own: Layout | null) =>
    attempt.run(async () => {
      if (format === undefined) return
      const profile_layout = { format, layout: own, newest_version: chosen.newest_version }
      resultNotice(await callApi(profileLayoutCalls.save, { params: { id }, body: { profile_layout } }))
      await refreshed('profile_layouts', 'originating_profiles')
    })
  const isOwn = chosen.version !== null
  return (
    <div>
      <FailedAttempt attempt={attempt} again={() => void save(layout)} />
      <Button
        kind="primary"
        busy={attempt.busy}
        disabledReason={faults > 0 ? 'Mend the layout first' : isOwn && !isChanged ? 'Nothing is changed' : undefined}
        onClick={() => void save(layout)}
      >
        {`Save as version ${chosen.newest_version + 1}`}
      </Button>
      <Button disabledReason={isOwn ? undefined : 'The ready-made layout is in force'} onClick={() => void save(null)}>
        Use the ready-made layout
      </Button>
    </div>
  )
}
