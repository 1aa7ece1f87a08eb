import { useEffect, useRef, useState } from 'react'
import { useQuery } from '@tanstack/react-query'
import { authCalls } from '#contract/access/auth.ts'
import { passwordMessages, profileFields, user, userCalls } from '#contract/users/user.ts'
import { callApi } from '../kernel/api.ts'
import { EntityForm, type FormSection } from '../kernel/forms/entity-form.tsx'
import type { FormEntity, FormErrors } from '../kernel/forms/form-values.ts'
import { resultNotice } from '../kernel/notices/notices.ts'
import { apiQuery } from '../kernel/query.ts'
import { RecordGate } from '../kernel/record-gate.tsx'
import { passwordErrors, passwordFields, passwordSlots } from '../users/users.ts'
import { ProfileTabs } from './profile-frame.tsx'
import styles from './profile.module.css'

const own = apiQuery(authCalls.profile, {})

/** The signed-in user's own name, title and password. */
export function ProfilePage() {
  const asked = useQuery(own)
  const [wasSaved, setWasSaved] = useState(false)
  return (
    <>
      <ProfileTabs />
      <RecordGate asked={asked}>
        {(found) => <ProfileForm key={found.user.lock_version} row={found.user} wasSaved={wasSaved} onSaved={() => setWasSaved(true)} />}
      </RecordGate>
    </>
  )
}

/** Only these seven fields, because users may not change their own status. */
const entity: FormEntity = {
  name: user.name,
  plural: user.plural,
  label: 'User Profile',
  fields: { ...profileFields, ...passwordFields },
  draft: user.patch,
  patch: user.patch,
}
const sections: readonly FormSection[] = [
  { fields: ['email', 'username', 'first_name', 'last_name', 'title'] },
  { title: 'Change Password', fields: ['password', 'password_confirmation'] },
]
const slots = passwordSlots({ required: false })

interface Own {
  readonly id: number
  readonly lock_version: number
}

interface ProfileFormProps {
  readonly row: Own
  /** Whether the form was mounted again because of a save. */
  readonly wasSaved: boolean
  readonly onSaved: () => void
}

function ProfileForm({ row, wasSaved, onSaved }: ProfileFormProps) {
  const place = useRef<HTMLDivElement>(null)
  useEffect(() => {
    // Keeps the focus in place for users who saved by keyboard.
    if (wasSaved) place.current?.querySelector<HTMLElement>('[type=submit]')?.focus({ preventScroll: true })
  }, [wasSaved])
  return (
    <div ref={place}>
      <EntityForm
        entity={entity}
        row={row}
        history={false}
        params={{}}
        update={(_, body) => callApi(userCalls.updateProfile, { body: userCalls.updateProfile.schemas.body.parse(body) })}
        load={async () => (await callApi(authCalls.profile, {})).user}
        sections={sections}
        slots={slots}
        check={passwordErrors}
        onRefused={sayPasswordRule}
        title="User Profile"
        backHref="/"
        onSaved={onSaved}
      >
        <p className={styles.about}>A new password signs you out everywhere else. This sign-in stays.</p>
      </EntityForm>
    </div>
  )
}

/** Errors of the two password rules are also shown as a notice (specification, part 2, sections 5 and 8). */
function sayPasswordRule(errors: FormErrors): void {
  const rules: readonly string[] = Object.values(passwordMessages)
  const broken = Object.values(errors).find((message) => rules.includes(message))
  if (broken !== undefined) resultNotice({ success: false, message: broken })
}
