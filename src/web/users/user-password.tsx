import { userCalls, type User } from '#contract/users/user.ts'
import { EntityForm, type FormSection } from '../kernel/forms/entity-form.tsx'
import { formCalls } from '../kernel/forms/use-entity-form.ts'
import { passwordEntity, passwordErrors } from './password-rules.ts'
import { passwordSlots } from './password-slots.tsx'
import { UserPage } from './user-page.tsx'
import { personName, useUserPlace } from './user-place.ts'
import styles from './users.module.css'

const sections: readonly FormSection[] = [{ fields: ['password', 'password_confirmation'] }]
const slots = passwordSlots({ required: true })

/** Lets an administrator set another user's password. */
export function UpdatePassword() {
  return <UserPage changes>{(person) => <PasswordForm key={person.id} person={person} />}</UserPage>
}

function PasswordForm({ person }: { person: User }) {
  const place = useUserPlace()
  return (
    <EntityForm
      entity={passwordEntity}
      row={person}
      history={false}
      {...formCalls(userCalls, 'user', {})}
      sections={sections}
      slots={slots}
      check={passwordErrors}
      title="Update Password"
      backHref={place.list}
    >
      <p className={styles.note}>
        Saving signs {personName(person)} out everywhere and confirms the account. Hand the password over in person; the mail of “Resend
        password email” lets them choose one of their own instead.
      </p>
    </EntityForm>
  )
}
