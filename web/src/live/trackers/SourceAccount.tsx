import { accountInput, newPolledSource, SAMSARA_SERVER, sources } from '@roadshow/contract/live/position-sources'
import type { AccountInput, NewPolledSource, PositionSource } from '@roadshow/contract/live/position-sources'
import { Button, Input, Modal } from 'antd'
import { useSave, useSaveOnce } from '../../api/useSave.ts'
import { EditForm } from '../../ui/form/EditForm.tsx'
import { Field } from '../../ui/form/fields.tsx'
import { useRecordForm } from '../../ui/form/useRecordForm.ts'
import { Soft, Stack } from '../../ui/layout.tsx'
import { useNotice } from '../../ui/notices.tsx'
import type { FieldsOf } from '../../ui/text/words.ts'

const GEOTAB_SERVER = 'https://my.geotab.com'

interface DialogProps {
  onClose: () => void
}

/** The account of MyGeotab or Samsara: where it is asked, as whom, and the secret, which is never shown. */
export function SourceAccount({ source, onClose }: DialogProps & { source: PositionSource }) {
  const { uid, name, kind, account } = source
  const isGeotab = kind === 'geotab'
  const fields: FieldsOf<AccountInput> = {
    server: 'Server',
    database: 'Database',
    user: 'User',
    secret: isGeotab ? 'Password' : 'API token',
  }
  const save = useSave(sources.saveAccount)
  const remove = useSave(sources.removeAccount)
  const notice = useNotice()
  const edit = useRecordForm({
    base: account,
    toInput: (of): AccountInput => ({
      server: of?.server ?? (isGeotab ? GEOTAB_SERVER : SAMSARA_SERVER),
      database: of?.database ?? '',
      user: of?.user ?? '',
      secret: '',
    }),
    fields,
    schema: accountInput,
    undrafted: ['secret'],
    save: (body) => save.mutateAsync({ params: { uid }, body }),
    onSaved() {
      notice(`The account of ${name} is saved. It is asked within seconds.`)
      onClose()
    },
  })
  const end = async () => {
    await remove.mutateAsync({ params: { uid } })
    notice(`The account of ${name} is removed. Its positions stay.`)
    onClose()
  }
  return (
    <Modal
      open
      title={`Account of ${name}`}
      okText="Save"
      cancelText="Cancel"
      confirmLoading={edit.isBusy}
      onOk={() => edit.form.submit()}
      onCancel={onClose}
    >
      <Stack gap={3}>
        <Soft>
          {isGeotab
            ? 'A user of your MyGeotab database who may see its devices. Trucks are found by their Geotab device ID.'
            : 'A token with the right “Read Vehicle Statistics” (Samsara: Settings, API Tokens).'}
        </Soft>
        <EditForm edit={edit} asks="never">
          <Field name="server">
            <Input maxLength={200} autoComplete="off" inputMode="url" />
          </Field>
          {isGeotab && (
            <>
              <Field name="database">
                <Input maxLength={100} autoComplete="off" />
              </Field>
              <Field name="user">
                <Input maxLength={100} autoComplete="off" />
              </Field>
            </>
          )}
          <Field name="secret" {...(account && { hint: 'Leave empty to keep the stored one.' })}>
            <Input.Password maxLength={2000} autoComplete="new-password" />
          </Field>
        </EditForm>
        {account && (
          <Button danger style={{ alignSelf: 'start' }} loading={remove.isPending} onClick={() => void end()}>
            Remove account
          </Button>
        )}
      </Stack>
    </Modal>
  )
}

const newFields: FieldsOf<NewPolledSource> = {
  name: 'Name',
  kind: 'Type',
  server: 'Server',
  secret: 'API token',
}

/** Adds a Samsara account as a source of positions. */
export function AddSamsara({ onClose }: DialogProps) {
  const add = useSaveOnce(sources.addPolled)
  const notice = useNotice()
  const edit = useRecordForm({
    base: { name: 'Samsara' },
    toInput: ({ name }): NewPolledSource => ({ name, kind: 'samsara', server: SAMSARA_SERVER, secret: '' }),
    fields: newFields,
    schema: newPolledSource,
    undrafted: ['secret'],
    save: (body) => add.mutateAsync({ body: { ...body, kind: 'samsara' } }),
    onSaved({ data }) {
      notice(`${data.name} is connected. Give your trucks their Samsara vehicle IDs under Trackers.`)
      onClose()
    },
  })
  return (
    <Modal
      open
      title="Connect Samsara"
      okText="Connect"
      cancelText="Cancel"
      confirmLoading={edit.isBusy}
      onOk={() => edit.form.submit()}
      onCancel={onClose}
    >
      <Stack gap={3}>
        <Soft>A token with the right “Read Vehicle Statistics” (Samsara: Settings, API Tokens).</Soft>
        <EditForm edit={edit} focus="name" asks="never">
          <Field name="name">
            <Input maxLength={80} autoComplete="off" />
          </Field>
          <Field name="server" hint="In Europe https://api.eu.samsara.com.">
            <Input maxLength={200} autoComplete="off" inputMode="url" />
          </Field>
          <Field name="secret">
            <Input.Password maxLength={2000} autoComplete="new-password" />
          </Field>
        </EditForm>
      </Stack>
    </Modal>
  )
}
