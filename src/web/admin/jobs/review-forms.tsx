import { type JobName, reasonCharactersMax } from '../../../operations/jobs/review-job.ts';
import { type FieldErrors, TextField } from '../../parts/field.tsx';
import { PostForm } from '../../parts/post-form.tsx';
import { jobPath } from './job-name.ts';

interface ReviewFormsProps {
  readonly name: JobName;
  /** The one that the reviewer reads: a verdict on a job that has changed since is refused. */
  readonly revision: number;
  readonly errors: FieldErrors;
  readonly reason: string;
}

/** Approve, or deny with a reason. */
export const ReviewForms = ({ name, revision, errors, reason }: ReviewFormsProps) => (
  <section aria-labelledby="verdict">
    <h2 id="verdict">Your verdict</h2>
    <PostForm action={`${jobPath(name)}/approve`}>
      <input type="hidden" name="revision" value={revision} />
      <button type="submit">Approve and publish</button>
    </PostForm>
    <PostForm action={`${jobPath(name)}/deny`}>
      <input type="hidden" name="revision" value={revision} />
      <TextField
        name="reason"
        label="Reason of a denial"
        hint="The company reads it: say what has to change."
        value={reason}
        rows={2}
        maxLength={reasonCharactersMax}
        required
        errors={errors}
      />
      <button type="submit" class="secondary">
        Deny
      </button>
    </PostForm>
  </section>
);
