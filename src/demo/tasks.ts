import { mayAccess, requireAdministration, requireToken } from './access.ts';
import { readForm } from './body.ts';
import type { Endpoint } from './endpoint.ts';
import { project, readSelection } from './fields.ts';
import { notFound } from './http-error.ts';
import { rejectUnknown } from './parameters.ts';
import { taskShape } from './shapes.ts';

/** Marks a task as not completed; a task that is not completed is unchanged. */
export const unmarkCompletedEndpoint: Endpoint = {
  method: 'PATCH',
  path: '/v1/tasks/{id}/unmark_completed',
  handle(request, world, taskId) {
    const token = requireToken(request, world, 'tasks:write');
    const form = readForm(request);
    rejectUnknown(form.keys(), ['administration_id', 'fields']);
    const selection = readSelection(form.get('fields'), taskShape);
    const administrationId = form.get('administration_id');
    if (administrationId !== undefined) requireAdministration(token, administrationId, world);

    const task = world.data.tasks.find(({ id }) => id === taskId);
    const isReachable =
      task &&
      mayAccess(token, task.administration_id, world) &&
      (administrationId ?? task.administration_id) === task.administration_id;
    if (!isReachable) throw notFound(`There is no task ${taskId}.`);

    if (task.completed_at) {
      task.completed_at = null;
      task.completed_status = null;
      task.completed_status_message = null;
      task.updated_at = new Date(world.now()).toISOString();
    }
    return project(task, selection);
  },
};
