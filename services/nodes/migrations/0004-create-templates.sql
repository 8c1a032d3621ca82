-- Templates and their instances (docs/reference/templates.md#instances). A template is a node directly under the account's
-- node of class Templates, with all below it.
ALTER TABLE nodes
  -- Nodes of instances: the node of the template that this one follows, and the root of its instance.
  ADD COLUMN template_node_id text COLLATE "C",
  ADD COLUMN instance_id text COLLATE "C",
  ADD CONSTRAINT nodes_instance_whole CHECK ((template_node_id IS NULL) = (instance_id IS NULL));
CREATE UNIQUE INDEX nodes_instance ON nodes (instance_id, template_node_id) WHERE instance_id IS NOT NULL;
CREATE INDEX nodes_template_node ON nodes (template_node_id) WHERE template_node_id IS NOT NULL;
CREATE UNIQUE INDEX nodes_templates ON nodes (owner_id) WHERE class = 'Templates';

-- Templates that have had an instance. A deleted template stays here until its last instance is gone.
CREATE TABLE templates (
  template_id text COLLATE "C" PRIMARY KEY,
  owner_id text COLLATE "C" NOT NULL REFERENCES owners ON DELETE CASCADE,
  -- Grows with every change of the template.
  revision bigint NOT NULL,
  -- This person made the last change.
  username text NOT NULL,
  -- From when on (Unix ms) instances of older revisions are to follow; NULL = none is.
  due_ms bigint
);
CREATE INDEX templates_due ON templates (due_ms) WHERE due_ms IS NOT NULL;
CREATE INDEX templates_owner ON templates (owner_id);

-- Instances of templates.
CREATE TABLE instances (
  -- The root.
  instance_id text COLLATE "C" PRIMARY KEY REFERENCES nodes ON DELETE CASCADE,
  template_id text COLLATE "C" NOT NULL REFERENCES templates ON DELETE CASCADE,
  -- Revision of the template that the instance follows.
  revision bigint NOT NULL,
  -- Given when the instance was made, over the template's by name: [{name, value}].
  metadata jsonb NOT NULL DEFAULT '[]'
);
CREATE INDEX instances_template ON instances (template_id, revision);
