/** Chooses one CSV file and has it checked; nothing is stored before the user has seen what its rows would do. */
import { useState, type FormEvent } from 'react'
import { importBytesMax } from '#contract/kernel/import.ts'
import { importFileCalls } from '#contract/imports/import-calls.ts'
import { callWith } from '../kernel/api.ts'
import { connectionId } from '../kernel/connection.ts'
import { messages, seconds } from '../kernel/notices/messages.ts'
import { useGo, usePath, withSearch } from '../kernel/navigation.tsx'
import { refresh } from '../kernel/query.ts'
import { Button } from '../ui/button.tsx'
import { notify } from '../ui/dialogs/notices.ts'
import { FileField } from '../ui/fields/file-field.tsx'
import { importFailed } from './import-failed.ts'
import type { ImportTarget } from './import-targets.ts'
import styles from './imports.module.css'

const sizeMax = `${Math.floor(importBytesMax / 1_048_576)} MB`

export function ImportStart({ target, clientId }: { target: ImportTarget; clientId: number | undefined }) {
  const [files, setFiles] = useState<readonly File[]>([])
  const [busy, setBusy] = useState(false)
  const [sent, setSent] = useState(0)
  const [error, setError] = useState<string>()
  const go = useGo()
  const path = usePath()
  const [file] = files
  const send = async (event: FormEvent) => {
    event.preventDefault()
    if (busy) return
    const fault = faultOf(file)
    setError(fault)
    if (fault !== undefined || !file) return
    setBusy(true)
    setSent(0)
    notify({ kind: 'info', title: messages.import_started, duration: seconds.import })
    try {
      const { import_id: id } = await sendFile(target, clientId, file, setSent)
      refresh('imports', 'tasks')
      if (id !== undefined) go(withSearch(path, { ...target.way, import: id }))
    } catch (failure) {
      setError(importFailed(failure))
    } finally {
      setBusy(false)
    }
  }
  return (
    <form className={styles.start} onSubmit={(event) => void send(event)}>
      <FileField
        label="CSV file"
        accept=".csv,text/csv"
        files={files}
        error={error}
        hint={`One file, at most ${sizeMax}. It is checked first; nothing is stored yet.`}
        onChange={(chosen) => {
          setError(undefined)
          setFiles(chosen)
        }}
      />
      <Button kind="primary" type="submit" busy={busy} disabledReason={file ? undefined : 'Choose a file first'}>
        {busy ? `Sending the file, ${Math.floor(sent * 100)}%` : 'Check the file'}
      </Button>
    </form>
  )
}

function faultOf(file: File | undefined): string | undefined {
  if (!file) return 'A file is required'
  if (file.size === 0) return 'The file is empty'
  return file.size > importBytesMax ? `The file has more than ${sizeMax}` : undefined
}

type Told = (share: number) => void

/** The settings precede the file, so that the server has them before the file's bytes. */
function sendFile({ kind }: ImportTarget, clientId: number | undefined, file: File, onProgress: Told) {
  const body = { connection_id: connectionId, mode: 'dry_run', file } as const
  if (kind === 'vendor' || kind === 'client' || kind === 'degreeDay')
    return callWith(importFileCalls[kind], { params: {}, body, onProgress })
  return callWith(importFileCalls[kind], { params: { client_id: clientId ?? 0 }, body, onProgress })
}
