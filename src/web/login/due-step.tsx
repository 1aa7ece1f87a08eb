import { useState } from 'react'
import { Button } from '../ui/button.tsx'
import styles from './login.module.css'
import { signInMessages as text } from './messages.ts'
import { takeReturnPath } from './session-store.ts'
import { SignInPage } from './sign-in-page.tsx'

const DAY_MS = 86_400_000

/** After a sign-in in the days of grace: the second factor is set up now or later. */
export function DueStep({ dueAt }: { dueAt: string }) {
  const [days] = useState(() => Math.max(1, Math.ceil((Date.parse(dueAt) - Date.now()) / DAY_MS)))
  return (
    <SignInPage title={text.dueTitle} intro={`${text.dueIntro} You have ${days === 1 ? '1 day' : `${days} days`} left.`}>
      <div className={styles.form}>
        <Button kind="primary" onClick={() => location.assign('/users/profile/second_factor')}>
          Set it up now
        </Button>
        <Button onClick={() => location.assign(takeReturnPath())}>Later</Button>
      </div>
    </SignInPage>
  )
}
