import type { DriverProfile } from '@roadshow/contract/catalog/driver-profile'
import type { Language } from '@roadshow/contract/live/driver-app'
import { useState } from 'react'
import { call } from '../../api/call.ts'
import { Soft } from '../../ui/layout.tsx'
import { shrinkPicture } from '../camera/shrinkPicture.ts'
import { useApp, useLanguage, useWords } from '../context.ts'
import { Button } from '../ui/Button.tsx'
import { Choice } from '../ui/Choice.tsx'
import { TextField } from '../ui/Field.tsx'
import { FileButton } from '../ui/FileButton.tsx'
import { meCalls } from './calls.ts'
import { MeFrame } from './MeFrame.tsx'
import { useLoaded } from './useLoaded.ts'
import styles from './me.module.css'

const stays = { staysOnPage: true } as const

interface Change {
  phone?: string
  language?: Language
  isPhotoRemoved?: true
}

/** The picture as a file that is named like its content. */
const photoFile = (content: Blob): File => {
  const extension = content.type.replace('image/', '').replace('jpeg', 'jpg')
  return new File([content], `photo.${extension}`, { type: content.type })
}

/** Saves one change of the profile at once, and says how it went. */
function useSaving(onSaved: (profile: DriverProfile) => void) {
  const [outcome, setOutcome] = useState<'saved' | 'failed' | undefined>()
  const save = async (body: Change, photo?: Blob) => {
    setOutcome(undefined)
    try {
      const files = photo && { photo: [photoFile(photo)] }
      onSaved((await call(meCalls.saveProfile, { body, files }, stays)).data)
      setOutcome('saved')
    } catch {
      setOutcome('failed')
    }
  }
  return { outcome, setOutcome, save }
}

function ProfileForm({ loaded }: { loaded: DriverProfile }) {
  const words = useWords()
  const app = useApp()
  const shownLanguage = useLanguage()
  const [profile, setProfile] = useState(loaded)
  const [phone, setPhone] = useState(loaded.phone)
  const { outcome, setOutcome, save } = useSaving(setProfile)
  const choosePhoto = async ([file]: File[]) => {
    if (!file) return
    const ready = await shrinkPicture(file).catch(() => undefined)
    if (ready) await save({}, ready.content)
    else setOutcome('failed')
  }
  const chooseLanguage = async (language: Language) => {
    await save({ language })
    await app.refresh()
  }
  const photoUrl = profile.photo?.thumbnailUrl ?? profile.photo?.url
  return (
    <>
      <section className={styles.card}>
        {photoUrl && <img className={styles.portrait} src={photoUrl} alt={words.profilePhoto} />}
        <h2>{profile.name}</h2>
        <p>
          {words.email} <span>{profile.email}</span>
        </p>
        <Soft as="p">{words.emailByOffice}</Soft>
        <FileButton isSingle onChoose={(files) => void choosePhoto(files)}>
          {words.choosePhoto}
        </FileButton>
        {profile.photo && (
          <Button look="quiet" onClick={() => void save({ isPhotoRemoved: true })}>
            {words.removePhoto}
          </Button>
        )}
      </section>
      <form
        className={styles.card}
        onSubmit={(event) => {
          event.preventDefault()
          void save({ phone })
        }}
      >
        <TextField label={words.phoneNumber} type="tel" autoComplete="tel" value={phone} onValue={setPhone} />
        <Button type="submit" look="primary" disabled={phone === profile.phone}>
          {words.save}
        </Button>
      </form>
      <section className={styles.card}>
        <Choice
          legend={words.language}
          value={profile.language ?? shownLanguage}
          options={[
            ['en', words.languageEnglish],
            ['es', words.languageSpanish],
          ]}
          onValue={(language) => void chooseLanguage(language)}
        />
      </section>
      <p role="status">{outcome === 'saved' && words.saved}</p>
      {outcome === 'failed' && <p role="alert">{words.couldNotSave}</p>}
    </>
  )
}

/** What the office knows of the driver, and what the driver changes: phone number, photo and language. */
export default function ProfilePage() {
  const words = useWords()
  const loaded = useLoaded(async () => (await call(meCalls.profile, {}, stays)).data, 'profile')
  return (
    <MeFrame title={words.profile} loaded={loaded}>
      {(profile) => <ProfileForm loaded={profile} />}
    </MeFrame>
  )
}
