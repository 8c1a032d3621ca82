-- Locations show the newest attachment of their image source, and attachment sources their own newest one: streams of changes show both when
-- an attachment comes or goes, so what they show of it counts as written.
CREATE INDEX nodes_image_source ON nodes ((config ->> 'imageSourceId')) WHERE config ->> 'imageSourceId' IS NOT NULL;
CREATE FUNCTION show_newest_attachment() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  parent text := CASE WHEN TG_OP = 'DELETE' THEN OLD.parent_id ELSE NEW.parent_id END;
BEGIN
  UPDATE node_values v SET shown_count = v.shown_count + 1
  FROM (
    SELECT own.node_id FROM node_values own
    WHERE own.node_id IN (
      SELECT s.node_id FROM nodes s WHERE s.node_id = parent AND s.class = 'source.attachment.AttachmentSource'
      UNION ALL SELECT l.node_id FROM nodes l WHERE l.config ->> 'imageSourceId' = parent)
    ORDER BY own.node_id FOR NO KEY UPDATE
  ) shown
  WHERE v.node_id = shown.node_id;
  RETURN NULL;
END
$$;
CREATE TRIGGER new_attachment AFTER INSERT ON nodes
  FOR EACH ROW WHEN (NEW.class = 'Attachment') EXECUTE FUNCTION show_newest_attachment();
CREATE TRIGGER gone_attachment AFTER DELETE ON nodes
  FOR EACH ROW WHEN (OLD.class = 'Attachment') EXECUTE FUNCTION show_newest_attachment();
