/** Stores the checked rows, returns the rejected ones as a file, and undoes an import. The button states the consequence. */
import { useState } from 'react'
import type { ImportCounts, ImportSummary } from '#contract/imports/import.ts'
import { importCalls } from '#contract/imports/import-calls.ts'
import { callApi } from '../kernel/api.ts'
import { messages, seconds } from '../kernel/notices/messages.ts'
import { refresh } from '../kernel/query.ts'
import { Button } from '../ui/button.tsx'
import { confirm } from '../ui/dialogs/confirm-dialog.tsx'
import { notify } from '../ui/dialogs/notices.ts'
import { SelectField } from '../ui/fields/choice-fields.tsx'
import { UiLink } from '../ui/link.tsx'
import { importFailed } from './import-failed.ts'
import type { ImportTarget } from './import-targets.ts'
import styles from './imports.module.css'

type Mode = 'all' | 'valid'

export function ImportCommit({ target, summary }: { target: ImportTarget; summary: ImportSummary }) {
  return (
    <div className={styles.line}>
      {summary.state === 'checked' && <Commit target={target} summary={summary} />}
      {summary.state === 'committed' && <Undo target={target} summary={summary} />}
      {summary.kind === 'bills' && summary.state === 'committed' && summary.task_id !== null && (
        <UiLink href={`/clients/${summary.client_id}/bills/findings?state=open&import_task_id=${summary.task_id}`}>
          Open findings on these bills
        </UiLink>
      )}
      {summary.has_refused_file && (
        <UiLink className={styles.action} href={`/api/v5/imports/${summary.id}/refused.csv`}>
          {`Download ${count(summary.counts.refused, 'refused row')} to mend`}
        </UiLink>
      )}
    </div>
  )
}

function Commit({ target, summary }: { target: ImportTarget; summary: ImportSummary }) {
  const [mode, setMode] = useState<Mode>('valid')
  const { counts } = summary
  const start = async () => {
    notify({ kind: 'info', title: messages.import_started, duration: seconds.import })
    await callApi(importCalls.commit, { params: { id: summary.id }, body: { mode } })
  }
  return (
    <>
      {counts.refused > 0 && (
        <SelectField
          label="Rows to import"
          value={mode}
          options={[
            { value: 'valid', label: 'Valid rows only' },
            { value: 'all', label: 'All or none' },
          ]}
          onChange={(value) => setMode(value === 'all' ? 'all' : 'valid')}
        />
      )}
      <Act kind="primary" work={start} lack={lackOf(summary, mode)}>
        {commitWords(counts, target.labels)}
      </Act>
    </>
  )
}

function lackOf({ counts, faults, may_commit: may }: ImportSummary, mode: Mode): string | undefined {
  if (faults.length > 0) return 'The file has to be mended first'
  if (mode === 'all' && counts.refused > 0) return `${count(counts.refused, 'row')} would be refused`
  if (counts.create + counts.update === 0) return 'No row would change anything'
  return may ? undefined : 'Only who began it, with the right to create, may store it'
}

/** Returns 'Import 118 rows: 100 new, 18 changed'. */
function commitWords({ create, update }: ImportCounts, labels: string): string {
  const parts = [create > 0 ? `${create.toLocaleString('en-US')} new` : '', update > 0 ? `${update.toLocaleString('en-US')} changed` : '']
  const words = parts.filter(Boolean).join(', ')
  return words === '' ? `Import ${labels}` : `Import ${count(create + update, 'row')}: ${words}`
}

/** Returns 'Divisions: 2 deleted, 1 put back'. */
function undoneWords({ create, update }: ImportCounts, labels: string): string {
  const figure = (many: number, word: string) => (many === 0 ? [] : [`${many.toLocaleString('en-US')} ${word}`])
  return `${labels}: ${[...figure(create, 'deleted'), ...figure(update, 'put back')].join(', ')}`
}

function Undo({ target, summary }: { target: ImportTarget; summary: ImportSummary }) {
  const { labels } = target
  const start = async () => {
    const yes = await confirm({
      title: 'Undo this import?',
      message: `What the file created is deleted, and what it changed is put back as it was.`,
      consequence: undoneWords(summary.counts, labels),
      confirmLabel: 'Undo the import',
      danger: true,
    })
    if (yes) await callApi(importCalls.undo, { params: { id: summary.id } })
  }
  return (
    <Act
      kind="default"
      work={start}
      lack={summary.may_undo ? undefined : (summary.undo_refusal ?? 'Only who may change these records may undo it')}
    >
      Undo this import
    </Act>
  )
}

type ActProps = { kind: 'primary' | 'default'; work: () => Promise<void>; lack: string | undefined; children: string }

function Act({ kind, work, lack, children }: ActProps) {
  const [asking, setAsking] = useState(false)
  const act = async () => {
    setAsking(true)
    try {
      await work()
    } catch (error) {
      importFailed(error)
    } finally {
      setAsking(false)
      refresh('imports', 'tasks')
    }
  }
  return (
    <Button kind={kind} busy={asking} disabledReason={lack} onClick={() => void act()}>
      {children}
    </Button>
  )
}

function count(many: number, one: string): string {
  return `${many.toLocaleString('en-US')} ${many === 1 ? one : `${one}s`}`
}
