import { useState } from 'react'
import { globalBatchFileCalls } from '#contract/global-batches/global-batch-file.ts'
import type { OriginatingProfile } from '#contract/originating-profiles/originating-profile.ts'
import { testFormats } from '#contract/payment-files/test-input.ts'
import { callApi } from '../kernel/api.ts'
import { FailedAttempt, useAttempt } from '../kernel/attempt.tsx'
import { resultNotice } from '../kernel/notices/notices.ts'
import { openFile } from '../kernel/open-file.ts'
import { refreshed } from '../kernel/query.ts'
import { Button } from '../ui/button.tsx'
import { Modal } from '../ui/dialogs/modal.tsx'
import { SelectField } from '../ui/fields/choice-fields.tsx'
import styles from './bank-profiles.module.css'

interface TestFileProps {
  readonly profile: Pick<OriginatingProfile, 'id' | 'name' | 'client_name'>
  readonly onClose: () => void
}

/** Asks for the format of a test file, writes it and downloads it. */
export function TestFileDialog({ profile, onClose }: TestFileProps) {
  const [format, setFormat] = useState<(typeof testFormats)[number]['value']>('standard')
  const attempt = useAttempt()
  const write = () =>
    attempt.run(async () => {
      const test_file = { originating_profile_id: profile.id, format }
      const answer = await callApi(globalBatchFileCalls.makeTest, { body: { test_file } })
      resultNotice(answer)
      onClose()
      await openFile(answer.batch_file_url)
      await refreshed('global_batch_files')
    })
  const faults = attempt.failure?.fields['format'] ?? []
  return (
    <Modal
      open
      onClose={onClose}
      title="Test File"
      width={480}
      footer={
        <>
          {faults.length === 0 && <FailedAttempt attempt={attempt} again={() => void write()} what="Not written" />}
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="primary" busy={attempt.busy} onClick={() => void write()}>
            Write Test File
          </Button>
        </>
      }
    >
      <div className={styles.ask}>
        <p>{`A file of ${profile.client_name}: ${profile.name} with three invented payees, marked as a test. It pays nothing in Meterbook.`}</p>
        <p>Send it through the bank’s test channel only. The network knows no test mark.</p>
        <SelectField
          label="Format"
          value={format}
          options={testFormats}
          onChange={(value) => setFormat(testFormats.find((one) => one.value === value)?.value ?? 'standard')}
        />
      </div>
      {faults.length > 0 && (
        <ul className={styles.faults} role="alert" aria-label="What prevents it">
          {faults.map((fault) => (
            <li key={fault}>{fault}</li>
          ))}
        </ul>
      )}
    </Modal>
  )
}
